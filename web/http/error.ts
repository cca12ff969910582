import { type ErrorCode, errors, type FieldErrors } from '../../common/errors.ts';

/** A REST call that failed. `status` 0: the server could not be reached. `message` is fit for the user. */
export class HttpError extends Error {
  readonly status: number;
  /** Null when the answer was not the product's own error body. */
  readonly code: ErrorCode | null;
  /** Text from the error body, or the one for an unreachable server; null when only the status is known. */
  readonly serverMessage: string | null;
  /** Field name → what is wrong with it, where the server says so. */
  readonly details: FieldErrors;
  /** Seconds to wait before another try, where the server says so. */
  readonly retryAfter: number | null;
  /** The answer's body as it came; null when there was no answer. */
  readonly body: string | null;

  constructor(failure: {
    status: number;
    message: string;
    serverMessage?: string | null;
    code?: ErrorCode | null;
    details?: FieldErrors;
    retryAfter?: number | null;
    body?: string | null;
    cause?: unknown;
  }) {
    super(failure.message, { cause: failure.cause });
    this.name = 'HttpError';
    this.status = failure.status;
    this.serverMessage = failure.serverMessage ?? null;
    this.code = failure.code ?? null;
    this.details = failure.details ?? {};
    this.retryAfter = failure.retryAfter ?? null;
    this.body = failure.body ?? null;
  }
}

/** Returns the text to show for a failure: the error's message, or `fallback` when it is not an `HttpError`. */
export function errorText(reason: unknown, fallback = 'Something went wrong. Please try again.'): string {
  return reason instanceof HttpError ? reason.message : fallback;
}

/** The error of a non-OK answer: the `error` text of its JSON body, else '{status}: {body or status text}'. */
export function failureOf(response: Response, text: string): HttpError {
  const body = errorBodyOf(text);
  const message = body?.error ?? `${response.status}: ${text || response.statusText}`;
  return new HttpError({
    status: response.status,
    message,
    serverMessage: body?.error ?? null,
    code: body?.code ?? null,
    details: body?.details ?? {},
    retryAfter: secondsOf(response.headers.get('Retry-After')),
    body: text,
  });
}

/** The header may also be a date, which this server never sends. */
function secondsOf(header: string | null): number | null {
  return header !== null && /^\d{1,9}$/.test(header) ? Number(header) : null;
}

function errorBodyOf(text: string): { error: string; code: ErrorCode | null; details: FieldErrors } | null {
  const body = jsonObject(text);
  if (typeof body?.error !== 'string' || body.error === '') return null;
  return { error: body.error, code: isErrorCode(body.code) ? body.code : null, details: fieldErrors(body.details) };
}

function jsonObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    // Not JSON, so not our error body: the caller shows the text itself.
    return null;
  }
}

function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && Object.hasOwn(errors, value);
}

function fieldErrors(value: unknown): FieldErrors {
  if (typeof value !== 'object' || value === null) return {};
  const entries = Object.entries(value).filter(
    (entry): entry is [string, string[]] =>
      Array.isArray(entry[1]) && entry[1].every((item) => typeof item === 'string'),
  );
  return Object.fromEntries(entries);
}
