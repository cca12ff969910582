import { HttpError } from '../http/error.ts';

/** What the server says about a failure; `fallback` when it says nothing of its own. */
export function toldText(reason: unknown, fallback: string): string {
  return reason instanceof HttpError ? (reason.told ?? fallback) : fallback;
}
