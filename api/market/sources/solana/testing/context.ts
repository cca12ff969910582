import pino, { type Logger } from 'pino';
import { expect } from 'vitest';
import type { Observation } from '../../observation.ts';
import type { StoredToken, SourceContext } from '../../source.ts';

export interface Heard extends SourceContext {
  /** All observations so far. */
  observations: Observation[];
  /** `signature:index` of the events among them, in order. */
  ids(): string[];
  /** All log lines so far, as text. */
  logged: string[];
}

/** A market that only listens. */
export function listener(known: StoredToken[] = [], backlog: () => number = () => 0): Heard {
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
    known: async () => known,
  };
}

/** Waits until an expectation holds; long, because other tests may have the processor just now. */
export function eventually(value: () => unknown): ReturnType<typeof expect.poll> {
  return expect.poll(value, { timeout: 10_000, interval: 10 });
}
