import type { Model } from 'mongoose';
import type { Logger } from 'pino';
import { type Clock, SECOND } from '../../../common/time.ts';
import { RISK_RULES_VERSION } from '../../../common/tokens/risk/score.ts';
import type { EventSource } from '../../events/bus.ts';
import { presentIndexed } from '../present.ts';
import type { TokenRecord } from '../record.ts';
import { withCurrentVolume } from '../volume.ts';
import { type IndexedRecord, indexedFields } from './columns.ts';
import { createListIndex, type ListIndex, MAX_ROWS } from './list-index.ts';

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

export type LiveIndex = ReturnType<typeof createLiveIndex>;

export interface LiveIndexDeps {
  tokens: Model<TokenRecord>;
  bus: EventSource;
  clock: Clock;
  log: Logger;
  /** Returns whether the market has the token in memory: during an outage of MongoDB it may have no other copy. */
  isLive: (address: string) => boolean;
  /** Default: `MAX_ROWS`. */
  maxRows?: number;
}

/** Keeps the index of all lists up to date: loaded from MongoDB, changed by the market's events. */
export function createLiveIndex({ tokens, bus, clock, log, isLive, maxRows = MAX_ROWS }: LiveIndexDeps) {
  const index = createListIndex(maxRows);
  const ends = [
    bus.on('token-changed', ({ at, changes }) => {
      for (const { token } of changes) index.put(token, at);
    }),
    bus.on('token-removed', (removed) => {
      if ('all' in removed) index.clear();
      else index.remove(removed.addresses);
    }),
  ];
  let timer: NodeJS.Timeout | undefined;
  let markReady: () => void = () => undefined;
  const ready = new Promise<void>((resolve) => {
    markReady = resolve;
  });

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
      else put(index, withCurrentVolume(record, now));
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

  return Object.assign(index, {
    /** Loads the index and keeps it up to date. To be called before the market starts, so that no event comes before its token. */
    async start(): Promise<void> {
      await load(index, tokens, maxRows);
      markReady();
      schedule();
    },
    /** Resolves once the index is loaded: the server listens before. */
    ready,
    /** Returns whether MongoDB may lack the token because it is not written yet. */
    mayBeUnstored: (address: string, now: number) => index.isRecent(address, now) || isLive(address),
    /** Adds the stored tokens. */
    load: () => load(index, tokens, maxRows),
    stop(): void {
      clearTimeout(timer);
      timer = undefined;
      for (const end of ends) end();
    },
    /** Reads the next tokens again that may have changed without an event. Rejects while the database is away. */
    refreshQuiet,
  });
}

/** Index { listedAt: -1, _id: -1 }: the newest tokens first, up to the capacity. */
async function load(index: ListIndex, tokens: Model<TokenRecord>, maxRows: number): Promise<void> {
  const stored = tokens
    .find({}, indexedFields, { timeoutMS: LOAD_TIMEOUT })
    .sort({ listedAt: -1, _id: -1 })
    .limit(maxRows + 1)
    .batchSize(LOAD_BATCH)
    .lean<IndexedRecord[]>()
    .cursor();
  let read = 0;
  for await (const record of stored) {
    read += 1;
    if (read <= maxRows) put(index, record);
    else index.markIncomplete();
  }
}

function put(index: ListIndex, record: IndexedRecord): void {
  index.put(presentIndexed(record), record.lastUpdated, record.riskRulesVersion !== RISK_RULES_VERSION);
}
