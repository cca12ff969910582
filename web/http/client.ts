import type { z } from 'zod';
import type { Call } from '../../common/http.ts';
import { failureOf, HttpError } from './error.ts';

/** An object without required fields: a parameter that extends it is optional. */
type Nothing = Record<never, never>;

/** Allows numbers where the contract has query text (`limit=50`). */
type Sendable<Input> = {
  [Key in keyof Input]: Input[Key] extends string | undefined ? Input[Key] | number : Input[Key];
};

/** Makes a part of the request optional when all of its fields are. */
type Part<Name extends string, Input> = Nothing extends Input ? { [Key in Name]?: Input } : { [Key in Name]: Input };

/** Input of a call: the parts of its contract, and a signal that aborts it. */
export type RequestInput<C extends Call> = Part<'params', z.input<C['params']>> &
  Part<'query', Sendable<z.input<C['query']>>> &
  Part<'body', z.input<C['body']>> & { signal?: AbortSignal | undefined; headers?: Readonly<Record<string, string>> };

type Arguments<C extends Call> = Nothing extends RequestInput<C> ? [input?: RequestInput<C>] : [input: RequestInput<C>];

export interface CallResult<Data> {
  data: Data;
  headers: Headers;
}

/** Returns the address of a call with its parameters and query, e.g. `/api/tokens?limit=50`. */
export function addressOf(call: Call, params: unknown, query: unknown): string {
  const values = new Map(Object.entries(params ?? {}));
  const path = call.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values.get(name))));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined) search.set(name, String(value));
  }
  return search.size > 0 ? `${path}?${search}` : path;
}

/** Replaces the browser's "Failed to fetch", which does not name the cause. */
const UNREACHABLE = 'The server cannot be reached. Check that it is running.';

const listeners = new Set<() => void>();

/** Calls `listener` for each 401 of an ended session (not of a refused login). Returns the function that ends it. */
export function onUnauthenticated(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

let askForPassword: () => Promise<boolean> = () => Promise.resolve(false);

/**
 * Sets what asks for the password when a call needs a recent one: it resolves with true once the server has accepted the
 * password, and the call is repeated. Returns the function that ends it.
 */
export function onPasswordNeeded(ask: () => Promise<boolean>): () => void {
  askForPassword = ask;
  return () => {
    if (askForPassword === ask) askForPassword = () => Promise.resolve(false);
  };
}

/**
 * Makes a call of `common`; resolves with its data and headers. Throws `HttpError` when the response is not OK or the
 * server cannot be reached, and the signal's reason when aborted.
 */
export async function request<C extends Call>(
  call: C,
  ...[input]: Arguments<C>
): Promise<CallResult<z.output<C['output']>>> {
  try {
    return await requestOnce(call, input);
  } catch (failure) {
    const needsPassword = failure instanceof HttpError && failure.code === 'password-needed';
    if (!needsPassword || !(await askForPassword())) throw failure;
    return requestOnce(call, input);
  }
}

async function requestOnce<C extends Call>(
  call: C,
  input: RequestInput<C> | undefined,
): Promise<CallResult<z.output<C['output']>>> {
  const hasBody = input?.body !== undefined;
  const response = await send(addressOf(call, input?.params, input?.query), {
    method: call.method,
    credentials: 'include',
    headers: {
      Accept: 'application/json',
      ...(hasBody ? { 'Content-Type': 'application/json' } : {}),
      ...input?.headers,
    },
    ...(hasBody ? { body: JSON.stringify(input.body) } : {}),
    ...(input?.signal ? { signal: input.signal } : {}),
  });
  const text = await response.text();
  if (!response.ok) {
    const failure = failureOf(response, text);
    if (failure.code === 'unauthenticated') for (const listener of listeners) listener();
    throw failure;
  }
  return { data: parse(response, text), headers: response.headers };
}

async function send(address: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(address, init);
  } catch (reason) {
    if (init.signal?.aborted) throw reason;
    throw new HttpError({ status: 0, message: UNREACHABLE, serverMessage: UNREACHABLE, cause: reason });
  }
}

/**
 * Trusts the shape: the server's tests check every response by the call's `output`, and parsing 500 tokens again would
 * cost frames.
 */
function parse<Data>(response: Response, text: string): Data {
  try {
    return JSON.parse(text);
  } catch (reason) {
    const message = `${response.status}: the response is not JSON`;
    throw new HttpError({ status: response.status, message, cause: reason });
  }
}
