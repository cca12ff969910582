import type { Clock } from '../../../common/time.ts';

/** A source is not asked about the same token again for so long, ms: others have their turn meanwhile. */
const PAUSE = 20 * 60_000;
/** Tokens remembered of each source. */
const REMEMBERED = 5_000;

/** Which tokens each source was asked about lately. */
export class AskedLately {
  readonly #clock: Clock;
  /** By source: address → when, the earliest first. */
  readonly #asked = new Map<string, Map<string, number>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  notLately(source: string, addresses: readonly string[]): string[] {
    const asked = this.#asked.get(source);
    const after = this.#clock.now() - PAUSE;
    return addresses.filter((address) => (asked?.get(address) ?? Number.NEGATIVE_INFINITY) <= after);
  }

  /** Takes it back: they were not asked about after all. */
  forget(source: string, addresses: readonly string[]): void {
    for (const address of addresses) this.#asked.get(source)?.delete(address);
  }

  note(source: string, addresses: readonly string[]): void {
    const asked = this.#asked.get(source) ?? new Map<string, number>();
    this.#asked.set(source, asked);
    for (const address of addresses) {
      asked.delete(address);
      asked.set(address, this.#clock.now());
    }
    for (const [oldest] of asked) {
      if (asked.size <= REMEMBERED) break;
      asked.delete(oldest);
    }
  }
}
