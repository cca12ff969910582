/** A failure that the person at the keyboard can correct. Commands print its message without a stack. */
export class StartError extends Error {
  /**
   * @param {string} message
   * @param {ErrorOptions} [options]
   */
  constructor(message, options) {
    super(message, options);
    this.name = 'StartError';
  }
}

/**
 * Returns the system's code of a failure, such as `EACCES`, or else its message.
 * @param {unknown} error
 */
export function failureCode(error) {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
}

/**
 * Returns the text to print for a failure: one line for a `StartError` (from any copy of this module), the error with
 * its stack for any other.
 * @param {unknown} error
 */
export function printable(error) {
  return error instanceof Error && error.name === 'StartError' ? error.message : error;
}
