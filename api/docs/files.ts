/** Names of the generated files. A separate module, so that serving them does not load the PDF library. */
export const guideFiles = { markdown: 'user-guide.md', html: 'user-guide.html', pdf: 'user-guide.pdf' } as const;
