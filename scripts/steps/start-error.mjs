/** Something the person at the keyboard can change: shown as one line, without a stack. */
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
