import { AskError } from './request-error.ts';

/**
 * Null where the service says that it knows nothing of what was asked, or cannot tell: that is an answer about one token, and
 * no reason not to ask about the next. Other failures are passed on.
 */
export async function orUnknown(answer: Promise<unknown>): Promise<unknown> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof AskError && (error.code === 'not-found' || error.code === 'refused')) return null;
    throw error;
  }
}
