import type { Clock, Random } from '../../../../common/time.ts';
import {
  type Circuit,
  type CircuitOutcome,
  createCircuit,
  createTimeLimit,
  parseRetryAfter,
  pause,
  retry,
  withRetryAfter,
} from '../../../platform/resilience.ts';
import type { SourceFigures } from '../source.ts';
import type { Allowance } from './allowance.ts';
import { createPacer, type Pacer, type RequestCost } from './pacer.ts';
import { RequestError, type RequestErrorCode } from './request-error.ts';
import { discardBody, errorCodeOf, type ResponseBounds, readJson } from './response.ts';
import type { KeyPolicy, ServiceSpec } from './service-spec.ts';

/** Settings of a service that its client uses. */
export interface ServiceOptions extends Omit<ServiceSpec, 'name' | 'allowance' | 'fetchListings' | 'quotes'> {
  /** Returns the key in force; called for every request because an administrator may change it. */
  currentKey: () => string | null;
  /** Credits of the month; absent without a monthly allowance. */
  allowance?: Allowance | undefined;
}

/** Clock, randomness, network and waiting, injected for tests. */
export interface ServiceDeps {
  clock: Clock;
  random: Random;
  fetch?: typeof fetch;
  /** Monotonic time, ms: unlike the time of day it is never set back. */
  monotonic?: () => number;
  wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}

export interface ServiceRequest extends RequestCost {
  method: 'GET' | 'POST';
  /** Begins with a slash. */
  path: string;
  query?: Readonly<Record<string, string | number | null>> | undefined;
  body?: unknown;
}

/** HTTP client of one data service: one request at a time, with limit, retries and a circuit. */
export type ServiceClient = ReturnType<typeof createServiceClient>;

const defaults = { maxBytes: 2 * 1_024 * 1_024, timeoutMs: 10_000, contentType: /\bjson\b/i };
/** Default retries after the first attempt, and the pauses before them, ms. */
const RETRIES = 2;
const RETRY_BASE = 500;
const RETRY_MAX = 8_000;
/** A longer `Retry-After`, ms, fails the request and pauses the service instead of waiting. */
const LONGEST_WAIT = 20_000;
/** Consecutive failed requests that open the circuit, and how long it stays open, ms: shorter than the pause between two runs. */
const CIRCUIT_FAILURES = 3;
const CIRCUIT_PAUSE = 120_000;

/** Failures that a retry may fix. */
const transient: ReadonlySet<RequestErrorCode> = new Set(['timeout', 'network', 'rate-limited', 'server']);
/** Failures of a service that works. */
const harmless: ReadonlySet<RequestErrorCode> = new Set(['not-found', 'refused']);
/** Failures of requests that never reached the service. */
const unsent: ReadonlySet<RequestErrorCode> = new Set([
  'budget-spent',
  'allowance-paced',
  'allowance-spent',
  'circuit-open',
  'no-key',
  'stopped',
]);

export function createServiceClient(options: ServiceOptions, deps: ServiceDeps) {
  const { clock, monotonic = () => performance.now() } = deps;
  const hasKey = () => options.currentKey() !== null;
  const isKeyMissing = () => options.key.need === 'required' && !hasKey();
  const stopping = new AbortController();
  const { allowance } = options;
  const pacer = createPacer(() => options.limit(hasKey()), { ...deps, allowance, monotonic, signal: stopping.signal });
  let circuit: Circuit = newCircuit(monotonic);
  let errors = 0;
  let lastErrorAt: number | null = null;
  let reason: string | null = null;
  let malformed = 0;
  let queue: Promise<unknown> = Promise.resolve();

  async function send(request: ServiceRequest): Promise<unknown> {
    if (stopping.signal.aborted) throw new RequestError('stopped');
    if (isKeyMissing()) throw new RequestError('no-key');
    const current = circuit;
    try {
      const sendDeps = { ...deps, pacer, signal: stopping.signal };
      const response = await current.run(() => sendWithRetries(request, options, sendDeps));
      if (current === circuit) reason = null;
      return response;
    } catch (error) {
      const failure = error instanceof RequestError ? error : new RequestError('network');
      // A request with the previous key does not count for the new one.
      if (current === circuit) recordFailure(failure);
      throw failure;
    }
  }

  function recordFailure(failure: RequestError): void {
    if (failure.code === 'not-found' || failure.code === 'stopped' || failure.code === 'circuit-open') return;
    reason = failure.message;
    if (unsent.has(failure.code)) return;
    errors += 1;
    lastErrorAt = clock.now();
  }

  /** Converts monotonic time to epoch ms. */
  const toEpoch = (time: number | null) => (time === null ? null : Math.round(clock.now() + time - monotonic()));

  return {
    /** Resolves with the JSON of the response. Throws only RequestError. */
    request(request: ServiceRequest): Promise<unknown> {
      // One request at a time, so that a slow service never has two of ours.
      const response = queue.then(() => send(request));
      // The caller handles the failure; the next request only waits for the end.
      queue = response.catch(() => undefined);
      return response;
    },
    /** Counts one item of the wrong shape. */
    countMalformed(): void {
      malformed += 1;
    },
    /** Resets the circuit and the pause after a key change: earlier refusals do not apply to the new key. */
    keyChanged(): void {
      circuit = newCircuit(monotonic);
      pacer.release();
      reason = null;
    },
    figures(): SourceFigures {
      const { limit, left, resetsAt } = pacer.budget();
      return {
        reason: isKeyMissing() ? new RequestError('no-key').message : reason,
        errors,
        lastErrorAt,
        malformed,
        circuit: circuit.state(),
        retryAt: toEpoch(circuit.retryAt() ?? pacer.heldUntil()),
        budget: { limit, left, resetsAt: toEpoch(resetsAt) },
        allowance: allowance?.read() ?? null,
        key: keyState(options.key, hasKey()),
      };
    },
    /** Aborts all requests; later ones fail. */
    stop: (): void => stopping.abort(),
  };
}

type SendDeps = ServiceDeps & { pacer: Pacer; signal: AbortSignal };

function sendWithRetries(request: ServiceRequest, options: ServiceOptions, deps: SendDeps): Promise<unknown> {
  const { random, wait = pause, pacer, signal } = deps;
  return retry(
    {
      retries: options.retries ?? RETRIES,
      base: RETRY_BASE,
      max: RETRY_MAX,
      random,
      delay: retryDelay,
      wait: (ms) => wait(ms, signal),
    },
    async () => {
      await pacer.acquire(request);
      return await sendOnce(request, options, deps);
    },
    signal,
  );
}

/** Returns the ms before the next attempt; null for none: a long `Retry-After` is not waited for. */
function retryDelay(error: unknown, backoffMs: number): number | null {
  if (!(error instanceof RequestError) || !transient.has(error.code)) return null;
  const { retryAfterMs } = error;
  return retryAfterMs !== null && retryAfterMs > LONGEST_WAIT ? null : withRetryAfter(backoffMs, retryAfterMs);
}

async function sendOnce(request: ServiceRequest, options: ServiceOptions, deps: SendDeps): Promise<unknown> {
  const { clock, pacer, signal: stopping } = deps;
  const timeoutMs = options.timeoutMs ?? defaults.timeoutMs;
  const { signal, clear } = createTimeLimit(timeoutMs, stopping);
  try {
    const response = await (deps.fetch ?? fetch)(urlOf(options.baseUrl, request), {
      method: request.method,
      headers: headersOf(request, options),
      ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
      // A redirect would send the key to another host.
      redirect: 'error',
      signal,
    });
    if (response.ok) return await readJson(response, boundsOf(options));
    await discardBody(response);
    const retryAfterMs = parseRetryAfter(response.headers.get('retry-after'), clock.now());
    const error = new RequestError(errorCodeOf(response.status), response.status, retryAfterMs);
    // Holds later requests too, if the retries end before the pause does.
    if (retryAfterMs !== null && transient.has(error.code)) pacer.hold(retryAfterMs);
    throw error;
  } catch (error) {
    if (error instanceof RequestError) throw error;
    // The cause may quote the address and the headers; the kind of failure is enough.
    throw new RequestError(stopping.aborted ? 'stopped' : signal.aborted ? 'timeout' : 'network');
  } finally {
    clear();
  }
}

function newCircuit(now: () => number): Circuit {
  return createCircuit({
    failures: CIRCUIT_FAILURES,
    pauseMs: CIRCUIT_PAUSE,
    now,
    openError: () => new RequestError('circuit-open'),
    outcomeOf,
  });
}

function outcomeOf(error: unknown): CircuitOutcome {
  if (!(error instanceof RequestError)) return 'failure';
  if (harmless.has(error.code)) return 'success';
  return unsent.has(error.code) ? 'ignored' : 'failure';
}

function boundsOf({ maxBytes, contentType }: ServiceOptions): ResponseBounds {
  return { maxBytes: maxBytes ?? defaults.maxBytes, contentType: contentType ?? defaults.contentType };
}

function urlOf(baseUrl: string, { path, query = {} }: ServiceRequest): string {
  const url = new URL(`${baseUrl}${path}`);
  for (const [name, value] of Object.entries(query)) {
    if (value !== null) url.searchParams.set(name, String(value));
  }
  return url.toString();
}

function headersOf({ body }: ServiceRequest, { key, currentKey }: ServiceOptions): Record<string, string> {
  const headers: Record<string, string> = { accept: 'application/json' };
  if (body !== undefined) headers['content-type'] = 'application/json';
  const value = key.need === 'none' ? null : currentKey();
  if (key.need !== 'none' && value !== null) headers[key.header] = key.scheme ? `${key.scheme} ${value}` : value;
  return headers;
}

function keyState({ need }: KeyPolicy, hasKey: boolean): SourceFigures['key'] {
  if (need === 'none') return 'none';
  if (hasKey) return 'set';
  return need === 'required' ? 'required-missing' : 'optional-missing';
}
