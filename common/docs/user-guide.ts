/** Where the user guide is, in its three forms; no session is needed (decision 33). They answer files, not JSON. */
export const userGuidePaths = {
  markdown: '/api/docs/user-guide/markdown',
  html: '/api/docs/user-guide/html',
  pdf: '/api/docs/user-guide/pdf',
} as const;
export type GuideForm = keyof typeof userGuidePaths;

/** Its pictures, which the Markdown and the HTML form name relative to themselves. */
export const USER_GUIDE_IMAGES = '/api/docs/user-guide/images/';
