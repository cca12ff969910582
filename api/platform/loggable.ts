import { PublicError } from '../../common/errors.ts';

/**
 * An error for the log: name, message and stack, but never the fields that libraries hang on it (bodies, commands, URIs).
 * A PublicError is no fault of the program, so where it was thrown tells nobody anything.
 */
export function loggable(error: unknown): { name: string; message: string; stack?: string | undefined } {
  if (!(error instanceof Error)) return { name: 'unknown', message: typeof error };
  const { name, message, stack } = error;
  if (error instanceof PublicError) return { name, message };
  return { name, message: withoutCredentials(message), stack: stack && withoutCredentials(stack) };
}

/** So long a run of letters and digits, in an address that is written to the log, may be a private key in the wrong place. */
const LONG_RUN = /[A-Za-z0-9+_=-]{64,}/g;

/** The path of a request for the log. */
export function loggablePath(path: string): string {
  return path.replace(LONG_RUN, '***');
}

/** Drops `user:password@` from every address in the text. */
function withoutCredentials(text: string): string {
  return text.replace(/\/\/[^/@\s]+@/g, '//***@');
}
