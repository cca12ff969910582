import type { Clock, Random } from '../../../../common/time.ts';
import {
  backoff,
  type Circuit,
  type CircuitOutcome,
  createCircuit,
  parseRetryAfter,
  pause,
  withRetryAfter,
} from '../../../platform/resilience.ts';
import type { SourceFigures } from '../source.ts';
import { createBudget } from './budget.ts';
import { AskError, type AskErrorCode } from './request-error.ts';
import { discard, failureOf, readAnswer } from './response.ts';
import type { KeyPolicy, RateLimit } from './service-spec.ts';

/** What the client of a service needs to know about it. */
export interface ServiceOptions {
  /** Without a slash at the end. */
  baseUrl: string;
  key: KeyPolicy;
  /** The key in force, asked at each call: it may be changed while the server runs. */
  currentKey: () => string | null;
  limit(hasKey: boolean): RateLimit;
  maxBytes?: number | undefined;
  timeoutMs?: number | undefined;
  contentType?: RegExp | undefined;
  /** Repetitions after the first attempt; default 2. */
  retries?: number | undefined;
}

/** Clock, randomness, network and waiting, so that tests decide them. */
export interface ServiceDeps {
  clock: Clock;
  random: Random;
  fetch?: typeof fetch;
  /** Passing time, ms: unlike the time of day it is never set back. */
  monotonic?: () => number;
  wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}

export interface ServiceRequest {
  method: 'GET' | 'POST';
  /** Begins with a slash. */
  path: string;
  query?: Readonly<Record<string, string | number | null>> | undefined;
  body?: unknown;
}

/** The one way to a data service over HTTP. */
export interface ServiceClient {
  /** The answer's JSON. Throws an AskError, nothing else. */
  ask(request: ServiceRequest): Promise<unknown>;
  /** Items of the wrong shape are counted here. */
  countMalformed(): void;
  /** Starts anew after the key was changed: what was refused before says nothing about the new one. */
  keyChanged(): void;
  figures(): SourceFigures;
  /** Ends all calls under way; those that come fail. */
  stop(): void;
}

const defaults = { maxBytes: 2 * 1_024 * 1_024, timeoutMs: 10_000, contentType: /\bjson\b/i };
/** Repetitions after the first attempt unless told otherwise, and the pauses before them, ms. */
const RETRIES = 2;
const RETRY_BASE = 500;
const RETRY_MAX = 8_000;
/** A service that asks for more patience than this, ms, is left alone so long instead of being waited for. */
const PATIENCE = 20_000;
/** However long it asks for, ms: a wrong header must not silence a source for days. */
const LONGEST_HOLD = 15 * 60_000;
/** A call waits for its turn within the rate limit at most this long, ms. */
const LONGEST_TURN = 90_000;
/** Failed calls in a row that open the circuit, and how long it stays open, ms: shorter than the pause between two runs. */
const CIRCUIT_FAILURES = 3;
const CIRCUIT_PAUSE = 120_000;

/** Failures that another attempt may mend. */
const passing: ReadonlySet<AskErrorCode> = new Set(['timeout', 'network', 'rate-limited', 'server']);
/** Answers that say nothing against the service, or calls that never reached it. */
const harmless: ReadonlySet<AskErrorCode> = new Set(['not-found', 'refused']);
const unsent: ReadonlySet<AskErrorCode> = new Set(['budget-spent', 'circuit-open', 'no-key', 'stopped']);

export function createServiceClient(options: ServiceOptions, deps: ServiceDeps): ServiceClient {
  const { clock, random, monotonic = () => performance.now(), wait = pause } = deps;
  const { maxBytes, timeoutMs, contentType } = withDefaults(options);
  const send = deps.fetch ?? fetch;
  const hasKey = () => options.currentKey() !== null;
  const budget = createBudget(() => options.limit(hasKey()), monotonic);
  const stopping = new AbortController();
  let circuit: Circuit = newCircuit();
  let heldUntil = Number.NEGATIVE_INFINITY;
  let errors = 0;
  let lastErrorAt: number | null = null;
  let reason: string | null = null;
  let malformed = 0;
  let turn: Promise<unknown> = Promise.resolve();

  function newCircuit(): Circuit {
    return createCircuit({
      failures: CIRCUIT_FAILURES,
      pauseMs: CIRCUIT_PAUSE,
      now: monotonic,
      openError: () => new AskError('circuit-open'),
      outcomeOf,
    });
  }

  /** Waits until the limit lets one more call go. */
  async function takeTurn(): Promise<void> {
    for (;;) {
      if (stopping.signal.aborted) throw new AskError('stopped');
      // Not sent, so it is no failure of the service.
      if (monotonic() < heldUntil) throw new AskError('budget-spent');
      const free = budget.take();
      if (free === 0) return;
      if (free > LONGEST_TURN) throw new AskError('budget-spent');
      await wait(free, stopping.signal);
    }
  }

  async function attempt(request: ServiceRequest): Promise<unknown> {
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(timeoutMs)]);
    try {
      const response = await send(addressOf(options.baseUrl, request), {
        method: request.method,
        headers: headersOf(request, options),
        ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
        // A redirection would take the key to another host.
        redirect: 'error',
        signal,
      });
      if (response.ok) return await readAnswer(response, { maxBytes, contentType });
      await discard(response);
      const wished = parseRetryAfter(response.headers.get('retry-after'), clock.now());
      throw Object.assign(new AskError(failureOf(response.status), response.status), { wished });
    } catch (error) {
      if (error instanceof AskError) throw error;
      // The cause may quote the address and the headers; what kind of failure it was says enough.
      throw new AskError(stopping.signal.aborted ? 'stopped' : signal.aborted ? 'timeout' : 'network');
    }
  }

  /** How long to wait before another attempt, ms; null when there is to be none. */
  function pauseAfter(error: AskError & { wished?: number | null }, tried: number): number | null {
    if (!passing.has(error.code)) return null;
    const own = backoff(tried, { base: RETRY_BASE, max: RETRY_MAX, random });
    const wished = error.wished ?? null;
    const isLast = tried >= (options.retries ?? RETRIES);
    // What is not waited for here holds for the calls that come next.
    if (wished !== null && (isLast || wished > PATIENCE)) heldUntil = monotonic() + Math.min(wished, LONGEST_HOLD);
    if (isLast || (wished !== null && wished > PATIENCE)) return null;
    // The service's wish counts where it is longer, with our jitter on top.
    return withRetryAfter(own, wished);
  }

  async function withRetries(request: ServiceRequest): Promise<unknown> {
    for (let tried = 0; ; tried += 1) {
      await takeTurn();
      try {
        return await attempt(request);
      } catch (error) {
        const after = error instanceof AskError ? pauseAfter(error, tried) : null;
        if (after === null) throw error;
        await wait(after, stopping.signal);
      }
    }
  }

  async function guarded(request: ServiceRequest): Promise<unknown> {
    if (stopping.signal.aborted) throw new AskError('stopped');
    if (options.key.need === 'required' && !hasKey()) throw new AskError('no-key');
    const mine = circuit;
    try {
      const answer = await mine.run(() => withRetries(request));
      if (mine === circuit) reason = null;
      return answer;
    } catch (error) {
      const failure = error instanceof AskError ? error : new AskError('network');
      // What came of a call with the key before says nothing about the present one.
      if (mine === circuit) noteFailure(failure);
      throw failure;
    }
  }

  function noteFailure(failure: AskError): void {
    if (failure.code === 'not-found' || failure.code === 'stopped' || failure.code === 'circuit-open') return;
    reason = failure.message;
    if (unsent.has(failure.code)) return;
    errors += 1;
    lastErrorAt = clock.now();
  }

  /** A passing time as a time of day. */
  const atOf = (time: number | null) => (time === null ? null : Math.round(clock.now() + time - monotonic()));

  return {
    ask(request) {
      // One call after the other: a service that is slow is not asked twice at once.
      const asked = turn.then(() => guarded(request));
      // Its failure is the asker's; the next one only has to wait for its end.
      turn = asked.catch(() => undefined);
      return asked;
    },
    countMalformed() {
      malformed += 1;
    },
    keyChanged() {
      circuit = newCircuit();
      heldUntil = Number.NEGATIVE_INFINITY;
      reason = null;
    },
    figures() {
      const { limit, left, resetsAt } = budget.read();
      const held = heldUntil > monotonic() ? heldUntil : null;
      return {
        reason: options.key.need === 'required' && !hasKey() ? new AskError('no-key').message : reason,
        errors,
        lastErrorAt,
        malformed,
        circuit: circuit.state(),
        retryAt: atOf(circuit.retryAt() ?? held),
        budget: { limit, left, resetsAt: atOf(resetsAt) },
        key: keyState(options.key, hasKey()),
      };
    },
    stop: () => stopping.abort(),
  };
}

/** An error other than an AskError is one of the network. */
function outcomeOf(error: unknown): CircuitOutcome {
  if (!(error instanceof AskError)) return 'failure';
  if (harmless.has(error.code)) return 'success';
  return unsent.has(error.code) ? 'ignored' : 'failure';
}

function withDefaults({ maxBytes, timeoutMs, contentType }: ServiceOptions) {
  return {
    maxBytes: maxBytes ?? defaults.maxBytes,
    timeoutMs: timeoutMs ?? defaults.timeoutMs,
    contentType: contentType ?? defaults.contentType,
  };
}

function addressOf(baseUrl: string, { path, query = {} }: ServiceRequest): string {
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
