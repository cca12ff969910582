import { Types } from 'mongoose';
import type { Logger } from 'pino';
import { type Clock, HOUR } from '../../../common/time.ts';
import type { SampleRecord, StampedSample, TradeRecord } from '../../tokens/record.ts';
import { type JournalEntry, tradesOf } from '../publish/journal.ts';
import { valuesAt } from '../publish/pending.ts';
import type { MarketStore } from '../publish/store.ts';
import type { TradeObservation } from '../sources/observation.ts';
import { merge, storedTrade } from '../token/merge/merge.ts';
import { noChainWatch } from '../token/merge/trade-chain.ts';
import { refreshScore, refreshValues } from '../token/score/score.ts';
import { rebuildLedger } from '../token/state/hydrate.ts';
import { createLiveToken, type LiveToken, set } from '../token/state/live-token.ts';

/** Tokens that changed within this time before the last entry may have versions that are not stored, ms. */
const LIVE_SPAN = 2 * HOUR;
/** Tokens that are read and written at once. */
const PAGE = 100;

export interface RecoveryDeps {
  store: Pick<MarketStore, 'prepare' | 'journal' | 'journalEnd' | 'leapVersions' | 'tokens' | 'tradesOf' | 'write'>;
  clock: Clock;
  log: Logger;
}

/**
 * Merges the trades in the journal that their tokens do not contain, after a crash, and stores the result. Publishes nothing:
 * clients fetch everything after a start. To be called before anything reads tokens. May be repeated: a crash in between leaves
 * the journal as it is. Resolves with the addresses of the changed tokens.
 */
export async function recover({ store, clock, log }: RecoveryDeps): Promise<string[]> {
  const end = await store.journalEnd();
  if (end === null || end.isEnd === true) return [];
  // A restored database has no indexes yet.
  await store.prepare();
  await store.leapVersions(end.at - LIVE_SPAN);
  const known = new Map<string, LiveToken | null>();
  const changed = new Set<LiveToken>();
  for await (const entry of store.journal()) {
    const trades = tradesOf(entry);
    await load(store, known, trades);
    await mergeEntry(store, known, { ...entry, onMerged: (live) => void changed.add(live) }, trades);
  }
  const all = [...changed];
  const context = { now: clock.now(), solUsd: end.solUsd };
  for (let from = 0; from < all.length; from += PAGE) {
    const page = all.slice(from, from + PAGE);
    await Promise.all(page.map((live) => finish(store, live, context)));
    for (const live of page) set(live, 'journaled', end._id);
    const tokens = page.map(({ record, dirty }) => ({ address: record._id, set: valuesAt(record, dirty) }));
    await store.write({ ...nothing, tokens });
  }
  // Its end takes the place of the entries, so that the positions go on from it.
  const closing = { _id: end._id + 1, at: context.now, solUsd: end.solUsd, trades: '[]', isEnd: true };
  await store.write({ ...nothing, journal: [closing], journalBelow: closing._id });
  log.info({ tokens: all.length }, 'market recovered from its journal');
  return all.map(({ record }) => record._id);
}

const nothing = { journal: [], tokens: [], trades: [], samples: [], rate: null, journalBelow: null };

/** Loads the tokens that are not known yet. null: not stored, since it was removed, or never acknowledged. */
async function load(
  store: RecoveryDeps['store'],
  known: Map<string, LiveToken | null>,
  trades: readonly TradeObservation[],
): Promise<void> {
  const addresses = new Set(trades.map(({ address }) => address));
  const unknown = [...addresses].filter((address) => !known.has(address));
  for (const address of unknown) known.set(address, null);
  for (let from = 0; from < unknown.length; from += PAGE) {
    for (const record of await store.tokens(unknown.slice(from, from + PAGE))) {
      const { reservesSlot = null } = record;
      const live = createLiveToken(record, true, record.lastUpdated);
      // These trades are of the same chain: a late one among them must not set the reserves back.
      live.record.reservesSlot = reservesSlot;
      known.set(record._id, live);
    }
  }
}

interface RecoveredTick extends Pick<JournalEntry, '_id' | 'at' | 'solUsd'> {
  /** Receives each token that lacked a trade. */
  onMerged(live: LiveToken): void;
}

/** Merges the trades of an entry into the tokens that lack them. Stores all of its trades, since some of them may not be stored yet. */
async function mergeEntry(
  store: RecoveryDeps['store'],
  known: ReadonlyMap<string, LiveToken | null>,
  tick: RecoveredTick,
  observations: readonly TradeObservation[],
): Promise<void> {
  const { _id: position, at: now, solUsd, onMerged } = tick;
  const trades: TradeRecord[] = [];
  const samples: StampedSample[] = [];
  const context = {
    ...noChainWatch,
    now,
    solUsd,
    trade: () => undefined,
    // A point of a minute or an hour replaces the one that may be stored. There are no others: those belong to ticks.
    sample: (record: SampleRecord) => void samples.push({ _id: new Types.ObjectId(), ...record }),
  };
  for (const trade of observations) {
    const live = known.get(trade.address);
    if (live == null) continue;
    if ((live.record.journaled ?? 0) < position && merge(live, trade, context)) onMerged(live);
    trades.push(storedTrade(live, trade, solUsd));
  }
  await store.write({ ...nothing, trades, samples });
}

/** Computes what follows from the merged trades: values, holders and score. The market computes the rest with its first ticks. */
async function finish(
  store: RecoveryDeps['store'],
  live: LiveToken,
  { now, solUsd }: { now: number; solUsd: number | null },
): Promise<void> {
  if (live.ledgerDue) rebuildLedger(live, await store.tradesOf(live.record._id));
  refreshValues(live, { solUsd, generation: 0 }, now);
  refreshScore(live, now);
}
