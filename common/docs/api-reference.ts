/** Path of the API reference, a page for people. */
export const API_REFERENCE = '/api/docs';
/** Path of the same as an OpenAPI document. */
export const OPEN_API = '/api/docs/openapi.json';
