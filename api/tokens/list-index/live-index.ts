import type { Model } from 'mongoose';
import type { Logger } from 'pino';
import type { Clock } from '../../../common/time.ts';
import type { EventSource } from '../../events/bus.ts';
import type { TokenRecord } from '../record.ts';
import { createListIndex, MAX_ROWS } from './list-index.ts';
import { createQuietRefresh, loadStored, putStored } from './stored-rows.ts';

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
  const quiet = createQuietRefresh({ index, tokens, clock, log, isLive });
  const ends = [
    bus.on('token-changed', ({ at, changes }) => {
      for (const { token } of changes) index.put(token, at);
    }),
    bus.on('token-removed', (removed) => {
      if ('all' in removed) index.clear();
      else index.remove(removed.addresses);
    }),
  ];
  let markReady: () => void = () => undefined;
  const ready = new Promise<void>((resolve) => {
    markReady = resolve;
  });
  const load = () => loadStored(index, { tokens, maxRows, onRecord: (record) => putStored(index, record) });

  return Object.assign(index, {
    /** Loads the index and keeps it up to date. To be called before the market starts, so that no event comes before its token. */
    async start(): Promise<void> {
      await load();
      markReady();
      quiet.start();
    },
    /** Resolves once the index is loaded: the server listens before. */
    ready: () => ready,
    /** Returns whether MongoDB may lack the token because it is not written yet. */
    mayBeUnstored: (address: string, now: number) => index.isRecent(address, now) || isLive(address),
    /** Adds the stored tokens. */
    load,
    stop(): void {
      quiet.stop();
      for (const end of ends) end();
    },
    /** Reads the next tokens again that may have changed without an event. Rejects while the database is away. */
    refreshQuiet: quiet.refreshQuiet,
  });
}
