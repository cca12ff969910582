import { z } from 'zod';
import { type ErrorCode, errors, type FieldErrors } from '../../common/errors.ts';

/** A failed REST call. `status` 0: the server could not be reached. `message` is a text for the user. */
export class HttpError extends Error {
  readonly status: number;
  /** Null when the response has no error body of the product. */
  readonly code: ErrorCode | null;
  /** Text from the error body, or the one for an unreachable server; null when only the status is known. */
  readonly serverMessage: string | null;
  /** Errors by field name, from the server. */
  readonly details: FieldErrors;
  /** Seconds until a retry, from the server; null without them. */
  readonly retryAfter: number | null;
  /** Raw body of the response; null without a response. */
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

/** Returns the text of a list that could not be fetched. Every 403 has one text (specification, section 8.1). */
export function listErrorText(reason: unknown): string {
  if (reason instanceof HttpError && reason.status === 403) return errors.forbidden.text;
  return reason instanceof Error ? reason.message : String(reason);
}

/** Returns the server's first error of each field. */
export function serverFieldErrors<Name extends string>(reason: unknown, names: readonly Name[]): [Name, string][] {
  const details: FieldErrors = reason instanceof HttpError ? reason.details : {};
  return names.flatMap((name): [Name, string][] => {
    const [first] = details[name] ?? [];
    return first === undefined ? [] : [[name, first]];
  });
}

/** Returns the error of a non-OK response: the `error` text of its JSON body, or '{status}: {body or status text}'. */
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

/** Parses the header as seconds; it could also be a date, which this server never sends. */
function secondsOf(header: string | null): number | null {
  return header !== null && /^\d{1,9}$/.test(header) ? Number(header) : null;
}

/** The product's error body. Code and details that it does not know, as of another program, count as absent. */
const errorBodySchema = z.object({
  error: z.string().min(1),
  code: z
    .custom<ErrorCode>((value) => typeof value === 'string' && Object.hasOwn(errors, value))
    .nullable()
    .catch(null),
  details: z.record(z.string(), z.array(z.string())).catch({}),
});

/** Returns the error body of a response; null when it has another one, which the caller shows as it is. */
function errorBodyOf(text: string): z.output<typeof errorBodySchema> | null {
  try {
    return errorBodySchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null; // not JSON
  }
}
