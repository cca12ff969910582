import type { Connection } from 'mongoose';
import type { Logger } from 'pino';
import type { Alert } from '../../common/alerts/model.ts';
import { rooms } from '../../common/live/rooms.ts';
import type { Clock, Random } from '../../common/time.ts';
import type { FeedLog, RoomMessage } from '../../realtime/feed-log/feed-log.ts';
import type { Publisher } from '../../realtime/publisher.ts';
import { ensureIndexes } from '../platform/database.ts';
import { createTurns } from '../platform/keyed-mutex.ts';
import { loggable } from '../platform/loggable.ts';
import { tokenModels } from '../tokens/model.ts';
import { presentToken } from '../tokens/present.ts';
import type { TokenRecord } from '../tokens/record.ts';
import { type AlertingDeps, createAlerting } from './alerting.ts';
import { createWaiting } from './matching/backlog.ts';
import { loadReferences, loadYoung } from './matching/bootstrap.ts';
import { type Match, Matcher } from './matching/matcher.ts';
import { createNewcomers } from './matching/newcomers.ts';
import { createAudience } from './matching/subscribers.ts';
import { createWatchReferences } from './matching/watch-baselines.ts';
import { type AlertRecord, alertModel } from './model.ts';
import { createAlertStore } from './store.ts';

/** How often it is looked for users who have come to be, ms: other processes make users too. */
const NEWCOMERS_EVERY = 2_000;
const USER_ROOM = rooms.user('');

export interface Alerts {
  /** The user's newest alerts, newest first. */
  list(userId: string, limit: number): Promise<Alert[]>;
  /** Begins to listen, and resolves once users and young tokens are known. To be called before the market begins to speak. */
  start(): Promise<void>;
  /** Resolves when all that was heard so far has been dealt with. */
  settled(): Promise<void>;
  stop(): Promise<void>;
}

export interface AlertsDeps {
  connection: Connection;
  feedLog: Pick<FeedLog, 'tail'>;
  publisher: Pick<Publisher, 'send' | 'listens'>;
  textOf: AlertingDeps['textOf'];
  outgoing: AlertingDeps['outgoing'];
  clock: Clock;
  random: Random;
  log: Logger;
  newcomersEvery?: number;
}

/** The alerts of this database, with their indexes made. */
export async function openAlerts(deps: AlertsDeps): Promise<Alerts> {
  await ensureIndexes(alertModel(deps.connection));
  return createAlerts(deps);
}

export function createAlerts(deps: AlertsDeps): Alerts {
  const { connection, feedLog, clock, newcomersEvery = NEWCOMERS_EVERY } = deps;
  const log = deps.log.child({ part: 'alerts' });
  const stopping = new AbortController();
  const store = createAlertStore(connection);
  const audience = createAudience(connection);
  const watched = createWatchReferences(connection);
  const { tokens } = tokenModels(connection);
  const inTurn = createTurns();
  /** What is being done for users right now. */
  const doing = new Set<Promise<void>>();

  const waiting = createWaiting(
    createAlerting({
      ...deps,
      store,
      async token(address) {
        const record = await tokens.findById(address).lean<TokenRecord>();
        return record && presentToken(record);
      },
      alerted,
      log,
      signal: stopping.signal,
    }),
  );
  const matcher = new Matcher({
    clock,
    found: (match) => waiting.offer(match),
    isFull: waiting.isFull,
    settled: (address, price, userIds) => later(address, () => watched.settle(address, price, clock.now(), userIds)),
  });

  async function alerted(match: Match, records: readonly AlertRecord[]): Promise<void> {
    if (match.type === 'price_alert') await watched.alerted(match.address, clock.now(), match.userIds);
    else
      for (const { userId, address, price, at } of records)
        matcher.wasAlerted(userId.toHexString(), { address, price, at: at.getTime() });
  }

  /** Does something in the background, one after the other for the same key. */
  function later(key: string, work: () => Promise<void>): void {
    const done = inTurn(key, work).catch((error: unknown) => {
      // Only where a price alert begins to count is lost, until the next start.
      if (!stopping.signal.aborted) log.warn({ error: loggable(error) }, 'a watched price could not be noted');
    });
    doing.add(done);
    void done.finally(() => doing.delete(done));
  }

  async function watch(userId: string, which: { address: string } | 'all'): Promise<void> {
    if (!matcher.knows(userId)) await newcomers.look();
    for (const reference of await watched.take(userId, which, clock.now())) matcher.watch(userId, reference);
  }

  /** What was heard before users are known: their settings may have been read just before they changed. */
  let early: RoomMessage[] | null = [];

  /** What users change is told to their open tabs after it is stored: that is where it is heard of. */
  function heard(message: RoomMessage): void {
    const { room, event, payload: change } = message;
    if (event !== 'user-data') return;
    if (early) return void early.push(message);
    const userId = room.slice(USER_ROOM.length);
    if (change.subject === 'settings') {
      if (matcher.changed(userId, change.item.alerts)) later(userId, () => watch(userId, 'all'));
    } else if (change.subject === 'watchlists' && change.item.list === 'watch') {
      const { address } = change.item;
      later(userId, async () => {
        if (change.op === 'saved') await watch(userId, { address });
        else matcher.unwatch(userId, address);
      });
    }
  }

  const newcomers = createNewcomers({ audience, matcher, clock, log, every: newcomersEvery });
  let background: Promise<void> = Promise.resolve();
  let untail = () => {};

  return {
    list: (userId, limit) => store.list(userId, limit),
    async start() {
      untail = feedLog.tail({
        // A tail that throws would end the turn of those behind it.
        entries: guarded((entries) => matcher.entries(entries), log),
        message: guarded(heard, log),
      });
      const now = clock.now();
      for (const user of await audience.all()) if (!matcher.knows(user.id)) matcher.put(user);
      const meanwhile = early ?? [];
      early = null;
      for (const message of meanwhile) heard(message);
      await loadYoung({ connection, store, matcher, now });
      newcomers.start(now);
      // Not waited for: it may be much, and a move is still one when its next price comes.
      background = loadReferences({ store, watched, matcher, now, signal: stopping.signal }).catch((error: unknown) => {
        if (!stopping.signal.aborted) log.warn({ error: loggable(error) }, 'earlier prices could not be read');
      });
    },
    async settled() {
      await background;
      await newcomers.look();
      await Promise.all(doing);
      await waiting.settled();
      await Promise.all(doing);
    },
    async stop() {
      untail();
      stopping.abort();
      await Promise.all([newcomers.stop(), waiting.stop(), background, ...doing]);
    },
  };
}

function guarded<Input>(work: (input: Input) => void, log: Logger): (input: Input) => void {
  return (input) => {
    try {
      work(input);
    } catch (error) {
      log.error({ error: loggable(error) }, 'alerts could not take something up');
    }
  };
}
