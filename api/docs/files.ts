/** Names of the made files. A module of its own, so that serving them loads no PDF library. */
export const guideFiles = { markdown: 'user-guide.md', html: 'user-guide.html', pdf: 'user-guide.pdf' } as const;
