/** The package ships its types under a name that no compiler reads. */
declare module 'unicode-confusables' {
  /** Returns the text with each character replaced by the one it looks like (Unicode TS 39, confusables.txt). */
  export function rectifyConfusion(text: string): string;
}
