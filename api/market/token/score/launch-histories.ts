import type { SymbolsObservation } from '../../sources/observation.ts';
import { refreshHistory } from '../merge/facts.ts';
import { type LiveToken, touch } from '../state/live-token.ts';
import type { LiveTokens } from '../state/live-tokens.ts';
import { Creators, type Launch, launchOf } from './creator-history.ts';
import { KnownSymbols } from './known-symbols.ts';

/** By what a token is found among those of its creator and its symbol. */
export type Identity = Pick<LiveToken['record'], 'creator' | 'symbol'>;

export function identityOf({ record: { creator, symbol } }: LiveToken): Identity {
  return { creator, symbol };
}

interface Deps {
  tokens: LiveTokens;
  /** Hears which tokens are to be stored and published. */
  note(live: LiveToken): void;
}

/** Keeps what other coins say about each: who launched what and how that ended, and whose name a coin has borrowed. */
export class Histories {
  readonly #deps: Deps;
  readonly #symbols = new KnownSymbols();
  #creators = new Creators(this.#symbols);

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  add(launch: Launch): void {
    this.#creators.add(launch);
  }

  /** Something was said of a launch. `before`: what the token was taken for until then. */
  launched(live: LiveToken, before: Identity): void {
    const { _id: address, creator, symbol } = live.record;
    if (before.creator !== creator || before.symbol !== symbol) this.#creators.correct(address, before);
    this.#creators.add(launchOf(live.record));
    refreshHistory(live, this.#creators);
  }

  /** Symbols of known coins count for tokens that are there already, too. */
  known(told: readonly SymbolsObservation[], now: number): void {
    if (told.length === 0) return;
    for (const { symbols } of told) this.#symbols.add(symbols);
    this.#refreshAll(now);
  }

  /** A rug counts against the creator's other coins from now on. */
  rugged(live: LiveToken, now: number): void {
    const { _id: address, creator } = live.record;
    if (creator === null) return;
    for (const other of this.#creators.markRugged(creator, address)) {
      const sibling = this.#deps.tokens.get(other);
      if (sibling !== undefined) this.#refresh(sibling, now);
    }
  }

  /** Begins anew with these launches, and those of the tokens in memory. */
  remember(launches: readonly Launch[], now: number): void {
    this.#creators = new Creators(this.#symbols);
    for (const launch of launches) this.#creators.add(launch);
    for (const live of this.#deps.tokens.values()) this.#creators.add(launchOf(live.record));
    this.#refreshAll(now);
  }

  #refreshAll(now: number): void {
    for (const live of this.#deps.tokens.values()) this.#refresh(live, now);
  }

  #refresh(live: LiveToken, now: number): void {
    if (!refreshHistory(live, this.#creators)) return;
    touch(live, now);
    this.#deps.note(live);
  }
}
