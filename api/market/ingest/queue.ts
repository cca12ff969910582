import type { Logger } from 'pino';
import type { Observation, RateObservation, SymbolsObservation } from '../sources/observation.ts';
import type { TokenObservation } from '../token/merge/merge.ts';
import { RecentKeys } from './recent-keys.ts';

/** Observations merged in one tick: what is more waits for the next, so that no tick blocks for long. */
const MAX_BATCH = 5_000;
/** Observations that may wait. A source that can wait does so far below; beyond it the newest are refused, and it is said. */
const MAX_QUEUE = 200_000;
/** Events remembered to drop duplicates: about an hour of all pump.fun trades. */
const RECENT_EVENTS = 50_000;
/** Removed tokens remembered, so that nothing that is still said of them brings them back. */
const REMOVED = 100_000;

/** Observations that wait to be merged. */
export class Intake {
  readonly #log: Logger;
  #queue: Observation[] = [];
  readonly #seen = new RecentKeys(RECENT_EVENTS);
  readonly #banished = new RecentKeys(REMOVED);
  #refused = 0;
  #isUnwanted: ((observation: Observation) => boolean) | null = null;

  constructor(log: Logger) {
    this.#log = log;
  }

  get size(): number {
    return this.#queue.length;
  }

  /** Never throws, never waits. */
  add(observations: readonly Observation[]): void {
    const wanted = this.#wanted(observations);
    const room = MAX_QUEUE - this.#queue.length;
    for (const observation of wanted.slice(0, room)) this.#queue.push(observation);
    if (wanted.length <= room) return;
    this.#refused += wanted.length - Math.max(0, room);
    this.#log.error({ refused: this.#refused }, 'too many observations wait: the newest are refused');
  }

  /** The next ones, in the order they came, without those that were told before. */
  take(): { rates: RateObservation[]; symbols: SymbolsObservation[]; batch: TokenObservation[] } {
    const rates: RateObservation[] = [];
    const symbols: SymbolsObservation[] = [];
    const batch: TokenObservation[] = [];
    for (const observation of this.#queue.splice(0, MAX_BATCH)) {
      if (observation.kind === 'rate') rates.push(observation);
      else if (observation.kind === 'symbols') symbols.push(observation);
      else if (this.#banished.has(observation.address)) continue;
      else if (!('chain' in observation) || this.isNews(eventId(observation.chain))) batch.push(observation);
    }
    return { rates, symbols, batch };
  }

  /** True when the event with this id, `<signature>:<index>`, was not told before; from now on it was. */
  isNews(id: string): boolean {
    return this.#seen.add(id);
  }

  /** Takes nothing more about these tokens, also of what waits. */
  banish(addresses: readonly string[]): void {
    for (const address of addresses) this.#banished.add(address);
  }

  isBanished(address: string): boolean {
    return this.#banished.has(address);
  }

  /** Takes no such observations until this is called with null, and drops those that wait. */
  refuse(isUnwanted: ((observation: Observation) => boolean) | null): void {
    this.#isUnwanted = isUnwanted;
    this.#queue = [...this.#wanted(this.#queue)];
  }

  #wanted(observations: readonly Observation[]): readonly Observation[] {
    const isUnwanted = this.#isUnwanted;
    return isUnwanted === null ? observations : observations.filter((observation) => !isUnwanted(observation));
  }
}

function eventId({ signature, index }: { signature: string; index: number }): string {
  return `${signature}:${index}`;
}
