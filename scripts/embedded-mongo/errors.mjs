const INSTEAD = 'Set MONGODB_URI to a MongoDB server (7.0 or newer) to use that instead.';

/** Why the embedded MongoDB cannot serve, in one line that also tells the way out. */
export class EmbeddedMongoError extends Error {
  /**
   * @param {string} why completes the sentence "The embedded MongoDB …"
   * @param {ErrorOptions} [options]
   */
  constructor(why, options) {
    super(`The embedded MongoDB ${why.replace(/\.$/, '')}. ${INSTEAD}`, options);
    // `npm start` prints the message of a StartError as it is, without a stack.
    this.name = 'StartError';
  }
}
