import type { Model } from 'mongoose';
import type { Logger } from 'pino';
import { type Clock, SECOND } from '../../../common/time.ts';
import { RISK_RULES_VERSION } from '../../../common/tokens/risk/score.ts';
import { presentIndexed } from '../present.ts';
import type { TokenRecord } from '../record.ts';
import { withCurrentVolume } from '../volume.ts';
import { type IndexedRecord, indexedFields } from './columns.ts';
import type { ListIndex } from './list-index.ts';

/** Fields of the volume of 24 hours. */
const volumeFields = {
  volumeByHour: 1,
  volumeMinutes: 1,
  runningMinute: 1,
  reported: 1,
  quote: 1,
  complete: 1,
  buys: 1,
  sells: 1,
  detectedBy: 1,
  lastTradeAt: 1,
  storedAt: 1,
  publishedAt: 1,
} as const;
type QuietRecord = IndexedRecord & Pick<TokenRecord, keyof typeof volumeFields>;

const LOAD_BATCH = 2_000;
/** A read at the start takes longer than a request may, ms. */
const LOAD_TIMEOUT = 60_000;
/** Tokens read again at once, and the time between two reads, ms. */
const QUIET_BATCH = 200;
const QUIET_EVERY = SECOND;

/** Puts a stored token into an index. */
export function putStored(index: ListIndex, record: IndexedRecord): void {
  index.put(presentIndexed(record), record.lastUpdated, record.riskRulesVersion !== RISK_RULES_VERSION);
}

/**
 * Passes the newest stored tokens to `onRecord`, at most `maxRows`, and marks the index when there are more. Index
 * { listedAt: -1, _id: -1 }.
 */
export async function loadStored(
  index: ListIndex,
  deps: { tokens: Model<TokenRecord>; maxRows: number; onRecord(record: IndexedRecord): void; signal?: AbortSignal },
): Promise<void> {
  const { tokens, maxRows, onRecord, signal } = deps;
  const stored = tokens
    .find({}, indexedFields, { timeoutMS: LOAD_TIMEOUT })
    .sort({ listedAt: -1, _id: -1 })
    .limit(maxRows + 1)
    .batchSize(LOAD_BATCH)
    .lean<IndexedRecord[]>()
    .cursor();
  let read = 0;
  for await (const record of stored) {
    signal?.throwIfAborted();
    read += 1;
    if (read <= maxRows) onRecord(record);
    else index.markIncomplete();
  }
}

/** Creates the repeated read of tokens that may have changed without an event. `isLive`: the market has the token in memory. */
export function createQuietRefresh(deps: {
  index: ListIndex;
  tokens: Model<TokenRecord>;
  clock: Clock;
  log: Logger;
  isLive: (address: string) => boolean;
}) {
  const { index, tokens, clock, log, isLive } = deps;
  let timer: NodeJS.Timeout | undefined;

  /** Reads the next of these tokens again. Rejects while the database is away. */
  async function refreshQuiet(): Promise<void> {
    const now = clock.now();
    const addresses = index.quiet(QUIET_BATCH, now);
    if (addresses.length === 0) return;
    // Index { _id: 1 }.
    const found = await tokens
      .find({ _id: { $in: addresses } }, { ...indexedFields, ...volumeFields })
      .lean<QuietRecord[]>()
      .exec();
    const stored = new Map(found.map((record) => [record._id, record]));
    for (const address of addresses) {
      // A token in memory changes with an event, and its stored record may be older. So may be the one that was read.
      if (isLive(address) || index.isRecent(address, now)) continue;
      const record = stored.get(address);
      if (record === undefined) index.remove([address]);
      else putStored(index, withCurrentVolume(record, now));
    }
  }

  function schedule(): void {
    timer = setTimeout(() => {
      refreshQuiet()
        .catch((error: unknown) => log.debug({ error }, 'list index not refreshed'))
        .finally(() => {
          if (timer !== undefined) schedule();
        });
    }, QUIET_EVERY);
  }

  return {
    refreshQuiet,
    start: schedule,
    stop(): void {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
