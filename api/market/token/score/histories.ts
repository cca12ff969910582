import type { SymbolsObservation } from '../../sources/observation.ts';
import { type LiveToken, touch } from '../state/live-token.ts';
import type { LiveTokens } from '../state/live-tokens.ts';
import { createCreatorHistory, createKnownSymbols, type Launch, launchOf } from './creator-history.ts';
import { refreshHistoryFacts } from './refresh-facts.ts';

/** Index keys of a token: its creator and its symbol. */
export type Identity = Pick<LiveToken['record'], 'creator' | 'symbol'>;

export function identityOf({ record: { creator, symbol } }: LiveToken): Identity {
  return { creator, symbol };
}

/** Keeps the facts of all tokens in memory up to date that follow from other coins. */
export interface Histories {
  add(launch: Launch): void;
  /** Records a launch that was observed or corrected. `before`: the token's identity until then. */
  recordLaunch(live: LiveToken, before: Identity): void;
  /** Adds symbols of known coins; they count for present tokens, too. */
  addKnownSymbols(observations: readonly SymbolsObservation[], now: number): void;
  /** Counts a rug against the creator's other coins. */
  recordRug(live: LiveToken, now: number): void;
  /** Replaces the history by these launches and those of the tokens in memory. */
  replace(launches: readonly Launch[], now: number): void;
}

/** `onChange` receives the tokens to store and publish. */
export function createHistories(tokens: LiveTokens, onChange: (live: LiveToken) => void): Histories {
  const symbols = createKnownSymbols();
  let history = createCreatorHistory(symbols);

  function refresh(live: LiveToken, now: number): void {
    if (!refreshHistoryFacts(live, history)) return;
    touch(live, now);
    onChange(live);
  }

  function refreshAll(now: number): void {
    for (const live of tokens.values()) refresh(live, now);
  }

  return {
    add: (launch) => history.add(launch),
    recordLaunch(live, before) {
      const { _id: address, creator, symbol } = live.record;
      if (before.creator !== creator || before.symbol !== symbol) history.remove(address, before);
      history.add(launchOf(live.record));
      refreshHistoryFacts(live, history);
    },
    addKnownSymbols(observations, now) {
      if (observations.length === 0) return;
      for (const observation of observations) symbols.add(observation.symbols);
      refreshAll(now);
    },
    recordRug(live, now) {
      const { _id: address, creator } = live.record;
      if (creator === null) return;
      for (const other of history.markRugged(creator, address)) {
        const sibling = tokens.get(other);
        if (sibling !== undefined) refresh(sibling, now);
      }
    },
    replace(launches, now) {
      history = createCreatorHistory(symbols);
      for (const launch of launches) history.add(launch);
      for (const live of tokens.values()) history.add(launchOf(live.record));
      refreshAll(now);
    },
  };
}
