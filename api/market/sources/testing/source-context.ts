import pino, { type Logger } from 'pino';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { expect } from 'vitest';
import type { Observation } from '../observation.ts';
import type { SourceContext, StoredToken } from '../source.ts';

export interface TestContext extends SourceContext {
  /** All observations so far. */
  observations: Observation[];
  /** Returns `signature:index` of the events among them, in order. */
  ids(): string[];
  /** All log lines so far, as text. */
  logged: string[];
}

/** Creates a context that records observations and log lines. */
export function testContext(stored: StoredToken[] = [], backlog: () => number = () => 0): TestContext {
  const observations: Observation[] = [];
  const logged: string[] = [];
  const log: Logger = pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) });
  return {
    observations,
    logged,
    log,
    ids: () => observations.flatMap((one) => ('chain' in one ? [`${one.chain.signature}:${one.chain.index}`] : [])),
    observe: (some) => void observations.push(...some),
    backlog,
    storedTokens: async () => stored,
    followed: async (addresses) => new Set(addresses),
    usage: new RateLimiterMemory({ points: 1, duration: 0 }),
  };
}

/** Polls until the expectation holds; long, because other tests may occupy the processor. */
export function eventually(value: () => unknown): ReturnType<typeof expect.poll> {
  return expect.poll(value, { timeout: 15_000, interval: 10 });
}

/** Groups observations by coin, each in the order of observation. */
export function byCoin(observations: readonly Observation[]): Map<string, Observation[]> {
  const coins = new Map<string, Observation[]>();
  for (const one of observations) {
    if ('address' in one) coins.set(one.address, [...(coins.get(one.address) ?? []), one]);
  }
  return coins;
}
