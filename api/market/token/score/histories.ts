import type { Fact } from '../../../../common/tokens/risk/score.ts';
import type { SymbolsObservation } from '../../sources/observation.ts';
import { sourceLabel } from '../merge/facts.ts';
import { type LiveToken, set, setFact, touch } from '../state/live-token.ts';
import type { LiveTokens } from '../state/live-tokens.ts';
import {
  type CopyKeys,
  type CreatorHistory,
  copyKeys,
  createCreatorHistory,
  createKnownSymbols,
  type Launch,
  launchOf,
} from './creator-history.ts';

const SOURCE_STORE = 'coins seen by this server';

/** Index keys of a token: signer, creator and fee payer of its creation, its symbol and its name. */
export type Identity = Pick<Launch, 'user' | 'creator' | 'payer' | 'symbol' | 'name'>;

export function identityOf({ record }: LiveToken): Identity {
  const { user, creator, payer, symbol, name } = launchOf(record);
  return { user, creator, payer, symbol, name };
}

/** Keeps the facts of all tokens in memory up to date that follow from other coins. */
export type Histories = ReturnType<typeof createHistories>;

/** `onChange` receives the tokens to store and publish. */
export function createHistories(tokens: LiveTokens, onChange: (live: LiveToken) => void) {
  const symbols = createKnownSymbols();
  let history = createCreatorHistory(symbols);

  function refresh(live: LiveToken, now: number): void {
    if (!refreshHistoryFacts(live, history)) return;
    touch(live, now);
    onChange(live);
  }

  /** Counts the coins of a symbol and of a name again after one came or went: at most 60. */
  function refreshTwins(changed: CopyKeys, now: number): void {
    for (const { address, keys } of history.sharing(changed)) {
      const live = tokens.get(address);
      if (live === undefined || !setTwins(live, keys, history)) continue;
      touch(live, now);
      onChange(live);
    }
  }

  function refreshAll(now: number): void {
    for (const live of tokens.values()) refresh(live, now);
  }

  return {
    add: (launch: Launch): void => history.add(launch),
    /** Records a launch that was observed or corrected. `before`: the token's identity until then. */
    recordLaunch(live: LiveToken, before: Identity, now: number): void {
      const launch = launchOf(live.record);
      const keys = ['user', 'creator', 'payer', 'symbol', 'name'] as const;
      if (keys.some((key) => before[key] !== launch[key])) history.remove(launch.address, before);
      history.add(launch);
      refreshHistoryFacts(live, history);
      if (before.symbol !== launch.symbol || before.name !== launch.name) refreshTwins(copyKeys(before), now);
      refreshTwins(copyKeys(launch), now);
    },
    /** Adds symbols of known coins; they count for present tokens, too. */
    addKnownSymbols(observations: readonly SymbolsObservation[], now: number): void {
      if (observations.length === 0) return;
      for (const observation of observations) symbols.add(observation.symbols);
      refreshAll(now);
    },
    /** Counts a rug against the developer's other coins. */
    recordRug(live: LiveToken, now: number): void {
      for (const other of history.markRugged(launchOf(live.record))) {
        const sibling = tokens.get(other);
        if (sibling !== undefined) refresh(sibling, now);
      }
    },
    /** Replaces the history by these launches and those of the tokens in memory. */
    replace(launches: readonly Launch[], now: number): void {
      history = createCreatorHistory(symbols);
      for (const launch of launches) history.add(launch);
      for (const live of tokens.values()) history.add(launchOf(live.record));
      refreshAll(now);
    },
  };
}

/** Updates the facts that follow from other coins of the creator and the symbol. Returns true when one changed. */
function refreshHistoryFacts(live: LiveToken, history: CreatorHistory): boolean {
  const { symbol, name, createdAt } = live.record;
  if (createdAt === null) return false;
  const launch = { ...launchOf(live.record), at: createdAt };
  const fact = <Value>(value: Value): Fact<Value> => ({ value, at: createdAt, source: SOURCE_STORE });
  let changed = false;
  if (launch.creator !== null || launch.user !== null) {
    changed = setFact(live, 'creatorLaunches24h', fact(history.launchesBefore(launch)));
    const rugged = worstHistory(live, history.ruggedBefore(launch), createdAt);
    // Replaced also at the same value, so that the evidence names the present source.
    const isOtherSource = rugged !== null && live.record.facts.creatorRugged?.source !== rugged.source;
    if (isOtherSource) live.record.facts.creatorRugged = null;
    if (setFact(live, 'creatorRugged', rugged)) changed = true;
  }
  if (setTwins(live, copyKeys({ symbol, name }), history)) changed = true;
  const twin = history.twinOf(symbol, launch.address, createdAt);
  if (setFact(live, 'symbolTwin', twin === null ? null : fact(twin))) changed = true;
  return changed;
}

/** Updates the place of a token among those with its symbol or its name. Returns true when it changed. */
function setTwins(live: LiveToken, keys: CopyKeys, history: CreatorHistory): boolean {
  const { _id, createdAt, twins: before } = live.record;
  if (createdAt === null) return false;
  const twins = history.twinsOf(keys, _id, createdAt);
  return String(twins) !== String(before ?? null) && set(live, 'twins', twins);
}

/** Returns the higher count of rugs, ours or a data service's: each of them misses some. */
function worstHistory(live: LiveToken, counted: number | null, createdAt: number): Fact<number> | null {
  const report = live.record.reported?.creatorRugged ?? null;
  if (report !== null && report.value >= (counted ?? 0)) {
    return { value: report.value, at: report.at, source: sourceLabel(report.source) };
  }
  return counted === null ? null : { value: counted, at: createdAt, source: SOURCE_STORE };
}
