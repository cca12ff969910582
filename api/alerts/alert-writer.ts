import { setImmediate as nextTurn } from 'node:timers/promises';
import { Types } from 'mongoose';
import PQueue from 'p-queue';
import type { Logger } from 'pino';
import type { AlertType } from '../../common/templates/model.ts';
import type { Clock, Random } from '../../common/time.ts';
import type { Token } from '../../common/tokens/model.ts';
import type { EventSink } from '../events/bus.ts';
import { loggable } from '../platform/log.ts';
import type { Match } from './matching/matcher.ts';
import { isYoung } from './matching/young-tokens.ts';
import type { AlertRecord, Delivery } from './model.ts';
import { createDatabaseRetry, type DatabaseRetry } from './retry.ts';
import { type AlertStore, presentAlert } from './store.ts';

/** Users in one write; the rest of the process runs between two writes. */
const BATCH = 250;
/** Users in the backlog, over all matches; beyond it the matcher matches again later. */
const BACKLOG_MAX = 500_000;
/** Weight of a match besides its users, in users: it holds a copy of a token. */
export const MATCH_WEIGHT = 20;

/** The text of an alert. */
export interface AlertText {
  text: string;
  /** Name of the template. */
  template: string;
}

/** The queue of messages to Telegram, as the writer uses it. */
export interface Outgoing {
  /** Returns the deliveries of those users who have a chat, by user id, with their place in the queue. */
  deliveries(userIds: readonly string[], template: string, at: Date): Promise<Map<string, Delivery>>;
  /** Wakes the delivery after new messages were stored. */
  wake(): void;
}

export interface AlertWriterDeps {
  store: Pick<AlertStore, 'allowed' | 'insert'>;
  /** Resolves with the stored token; null when it was removed. */
  token(address: string): Promise<Token | null>;
  textOf(type: AlertType, token: Token): Promise<AlertText>;
  outgoing: Outgoing;
  bus: EventSink;
  /** Called after alerts of a match were stored: `userIds` are all that were allowed, `records` the new alerts. */
  onStored(match: Match, userIds: readonly string[], records: readonly AlertRecord[]): Promise<void>;
  clock: Clock;
  random: Random;
  log: Logger;
  signal: AbortSignal;
  backlogMax?: number;
}

/** Turns matches into stored alerts, one match after the other. */
export interface AlertWriter {
  /** Adds a match to the backlog. Returns false when it is full. */
  offer(match: Match): boolean;
  /** True while the backlog has no room for a match of one user. */
  isFull(): boolean;
  /** Resolves when the backlog is empty. */
  settled(): Promise<void>;
  /** Drops the backlog and resolves when the present write has ended. The next start finds the dropped matches again. */
  stop(): Promise<void>;
}

export function createAlertWriter(deps: AlertWriterDeps): AlertWriter {
  const { signal, backlogMax = BACKLOG_MAX } = deps;
  const backlog = new PQueue({ concurrency: 1 });
  const retry = createDatabaseRetry({ ...deps, what: 'alerts' });
  /** Weight of the backlog, the present match included. */
  let weight = 0;

  return {
    offer(match) {
      // A match larger than the whole backlog is taken when nothing else waits.
      if (signal.aborted || (weight > 0 && weight + weightOf(match) > backlogMax)) return false;
      weight += weightOf(match);
      void backlog.add(async () => {
        await writeMatch(match, deps, retry);
        weight -= weightOf(match);
      });
      return true;
    },
    isFull: () => signal.aborted || weight + MATCH_WEIGHT + 1 > backlogMax,
    settled: () => backlog.onIdle(),
    async stop() {
      backlog.clear();
      await backlog.onIdle();
    },
  };
}

function weightOf({ userIds }: Match): number {
  return userIds.length + MATCH_WEIGHT;
}

/** Stores the alerts of a match in batches. Never rejects. */
async function writeMatch(match: Match, deps: AlertWriterDeps, retry: DatabaseRetry): Promise<void> {
  const { clock, log, signal } = deps;
  try {
    const token = match.token ?? (await retry(() => deps.token(match.address)));
    // A match may have waited long for the database.
    if (!token || (match.type === 'new_token' && !isYoung(token, clock.now()))) return;
    for (let from = 0; from < match.userIds.length; from += BATCH) {
      await writeBatch({ ...match, token, userIds: match.userIds.slice(from, from + BATCH) }, deps, retry);
      await nextTurn();
    }
  } catch (error) {
    // Alerts lost to a stop are found again after the next start.
    if (!signal.aborted) log.error({ error: loggable(error), type: match.type }, 'alerts could not be stored');
  }
}

async function writeBatch(
  match: Match & { token: Token },
  { store, textOf, outgoing, bus, onStored, clock }: AlertWriterDeps,
  retry: DatabaseRetry,
): Promise<void> {
  const { type, address, token } = match;
  const allowed = await retry(() => store.allowed(address, match.userIds));
  const userIds = match.userIds.filter((id) => allowed.has(id));
  if (userIds.length === 0) return;
  const at = new Date(clock.now());
  const { text, template } = await retry(() => textOf(type, token));
  const deliveries = await retry(() => outgoing.deliveries(userIds, template, at));
  const { name, symbol, price } = token;
  const records = userIds.map((id) => ({
    ...{ _id: new Types.ObjectId(), userId: new Types.ObjectId(id), telegram: deliveries.get(id) ?? null },
    ...{ type, address, name, symbol, text, price, at },
  }));
  const stored = await retry(() => store.insert(records));
  for (const record of stored) {
    bus.emit('alert-created', { userId: record.userId.toHexString(), alert: presentAlert(record) });
  }
  if (stored.some(({ telegram }) => telegram !== null)) outgoing.wake();
  await retry(() => onStored(match, userIds, stored));
}
