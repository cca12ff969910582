import { StartError } from '../steps/start-error.mjs';

const ALTERNATIVE = 'Set MONGODB_URI to a MongoDB server (7.0 or newer) to use that instead.';

/** Reports in one line why the embedded MongoDB can't serve, and the alternative. */
export class EmbeddedMongoError extends StartError {
  /** `reason` completes the sentence "The embedded MongoDB …". */
  constructor(reason: string, options?: ErrorOptions) {
    super(`The embedded MongoDB ${reason.replace(/\.$/, '')}. ${ALTERNATIVE}`, options);
  }
}
