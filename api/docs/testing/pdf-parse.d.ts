/** The package's own entry runs a self-test when it is imported from an ES module; this is what it wraps. */
declare module 'pdf-parse/lib/pdf-parse.js' {
  export { default } from 'pdf-parse';
}
