/** Path of the API reference, a page for people. */
export const API_REFERENCE = '/api/docs';
/** Path of the same as an OpenAPI document. */
export const OPEN_API = '/api/docs/openapi.json';

/** Paths of the user guide in its three formats. They need no session (decision 33) and return files, not JSON. */
export const userGuidePaths = {
  markdown: '/api/docs/user-guide/markdown',
  html: '/api/docs/user-guide/html',
  pdf: '/api/docs/user-guide/pdf',
} as const;
export type GuideForm = keyof typeof userGuidePaths;

/** Path of the pictures, which the Markdown and the HTML page refer to by relative links. */
export const USER_GUIDE_IMAGES = '/api/docs/user-guide/images/';
