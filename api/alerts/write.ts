import { setImmediate as nextTurn } from 'node:timers/promises';
import { Types } from 'mongoose';
import PQueue from 'p-queue';
import type { Logger } from 'pino';
import { type AlertFigures, heldBackText } from '../../common/alerts/model.ts';
import type { TokenAlertType } from '../../common/templates/model.ts';
import type { Clock, Random } from '../../common/time.ts';
import type { Token } from '../../common/tokens/model.ts';
import type { EventSink } from '../events/bus.ts';
import { type Hours, hourOf } from './hour.ts';
import { bestFirst, type Match, type TokenMatch } from './matching/match.ts';
import { isYoung } from './matching/young-tokens.ts';
import type { AlertRecord } from './model.ts';
import type { Outgoing } from './send.ts';
import { type AlertStore, createDatabaseRetry, type DatabaseRetry, presentAlert } from './store.ts';
import type { AlertText } from './text.ts';

/** Users in one write; the rest of the process runs between two writes. */
const BATCH = 250;
/** Matches that wait, each with a copy of its token; beyond it the matcher matches again later. */
export const WAITING_MAX = 500;
/** Matches of this time are ranked together, best first, ms: a few launches on a busy market. */
const COLLECT_MS = 3_000;

/** How a user of the bot changes the limit. */
const CHANGE_LIMIT = 'Change it by /alerts limit 10.';

export interface AlertWriterDeps {
  store: Pick<AlertStore, 'allowed' | 'insert'>;
  hours: Hours;
  /** Returns the user's alerts per hour. */
  limitOf(userId: string): number;
  /** Resolves with the stored token; null when it was removed. */
  token(address: string): Promise<Token | null>;
  textOf(type: TokenAlertType, token: Token): Promise<AlertText>;
  outgoing: Outgoing;
  bus: EventSink;
  /** Called after alerts of a match were stored: `userIds` are all that were allowed, `records` the new alerts. */
  onStored(match: Match, userIds: readonly string[], records: readonly AlertRecord[]): Promise<void>;
  clock: Clock;
  random: Random;
  log: Logger;
  signal: AbortSignal;
}

/** Turns matches into stored alerts: those about watched tokens at once, others best first after a few seconds. */
export function createAlertWriter(deps: AlertWriterDeps) {
  const { signal } = deps;
  const queue = new PQueue({ concurrency: 1 });
  const retry = createDatabaseRetry({ ...deps, what: 'alerts' });
  let collected: Match[] = [];
  let timer: NodeJS.Timeout | undefined;
  /** Matches that are collected, enqueued or being written. */
  let waiting = 0;

  function enqueue(matches: readonly Match[], priority: number): void {
    void queue.add(
      async () => {
        await writeMatches(matches, deps, retry);
        waiting -= matches.length;
      },
      { priority },
    );
  }

  function endCollection(): void {
    clearTimeout(timer);
    timer = undefined;
    if (collected.length > 0) enqueue(collected, 0);
    collected = [];
  }

  return {
    /** Adds a match. Returns false when too many wait. */
    offer(match: Match): boolean {
      if (signal.aborted || waiting >= WAITING_MAX) return false;
      waiting += 1;
      if (match.isWatched) {
        enqueue([match], 1);
        return true;
      }
      collected.push(match);
      timer ??= setTimeout(endCollection, COLLECT_MS);
      return true;
    },
    /** Resolves when there is room for another match. */
    async room(): Promise<void> {
      if (waiting < WAITING_MAX) return;
      endCollection();
      await queue.onIdle();
    },
    /** Ends the collection of matches, and resolves when all alerts are stored. */
    async settled(): Promise<void> {
      endCollection();
      await queue.onIdle();
    },
    /** Drops the matches that wait, and resolves when the present write has ended. The next start finds them again. */
    async stop(): Promise<void> {
      clearTimeout(timer);
      collected = [];
      queue.clear();
      await queue.onIdle();
    },
  };
}

/** Stores the alerts of matches, best first, in batches of users. Never rejects. */
async function writeMatches(matches: readonly Match[], deps: AlertWriterDeps, retry: DatabaseRetry): Promise<void> {
  const found: TokenMatch[] = [];
  for (const match of matches) {
    const load = () => retry(() => deps.token(match.address));
    const token = match.token ?? (await orLog('the token of an alert could not be read', load, deps));
    // A match may have waited long for the database.
    if (token && (match.type !== 'new_token' || isYoung(token, deps.clock.now()))) found.push({ ...match, token });
  }
  for (const match of bestFirst(found)) {
    for (let from = 0; from < match.userIds.length; from += BATCH) {
      const batch = { ...match, userIds: match.userIds.slice(from, from + BATCH) };
      // Each by itself: a match that fails must not take the others of its collection with it.
      await orLog('alerts could not be stored', () => writeBatch(batch, deps, retry), deps);
      await nextTurn();
    }
  }
}

/** Resolves with the result of `work`; null when it failed, which is logged. */
export async function orLog<Result>(
  failure: string,
  work: () => Promise<Result>,
  { log, signal }: Pick<AlertWriterDeps, 'log' | 'signal'>,
): Promise<Result | null> {
  try {
    return await work();
  } catch (error) {
    // Alerts lost to a stop are found again after the next start.
    if (!signal.aborted) log.error({ error }, failure);
    return null;
  }
}

/** Stores the alerts of users whose limit allows another one, and counts those of the others. */
async function writeBatch(match: TokenMatch, deps: AlertWriterDeps, retry: DatabaseRetry): Promise<void> {
  const { store, hours, outgoing, bus, onStored, clock } = deps;
  const at = clock.now();
  const free = match.isWatched ? match.userIds : hours.free(match.userIds, at);
  // A start finds the tokens again that were held back before: those of this hour belong to its count.
  if (!match.isFromStart || hourOf(Date.parse(match.token.detectedAt)) === hourOf(at)) {
    const isFree = new Set(free);
    hours.holdBack(
      match.userIds.filter((id) => !isFree.has(id)),
      at,
    );
  }
  if (free.length === 0) return;
  const allowed = await retry(() => store.allowed(match.address, free));
  if (allowed.size === 0) return;
  const made = await makeRecords(match, { userIds: [...allowed], at }, deps, retry);
  const stored = await retry(() => store.insert(made));
  hours.add(stored);
  for (const record of stored) {
    bus.emit('alert-created', { userId: record.userId.toHexString(), alert: presentAlert(record) });
  }
  outgoing.add(stored);
  await retry(() => onStored(match, [...allowed], stored));
}

/** Makes the alerts of the allowed users, with a note about alerts held back in the hour before. `at`: epoch ms. */
async function makeRecords(
  { type, address, token }: TokenMatch,
  { userIds, at }: { userIds: readonly string[]; at: number },
  { textOf, outgoing, hours, limitOf }: AlertWriterDeps,
  retry: DatabaseRetry,
): Promise<AlertRecord[]> {
  const { text, template } = await retry(() => textOf(type, token));
  const messages = await retry(() => outgoing.messages(userIds, template, new Date(at)));
  const { name, symbol, price } = token;
  const alert = {
    ...{ type, address, ref: null, name, symbol, text, price, at: new Date(at) },
    ...{ figures: figuresOf(token), cause: null, webhook: null },
  };
  return userIds.map((id) => {
    const message = messages.get(id) ?? null;
    const { heldBack: count } = hours.unmentioned(id);
    const note = count === 0 ? null : `${heldBackText(count, 'last hour', limitOf(id))}. ${CHANGE_LIMIT}`;
    return {
      ...{ ...alert, _id: new Types.ObjectId(), userId: new Types.ObjectId(id) },
      telegram: message && { ...message, note },
    };
  });
}

/** Returns the figures of a token that its alert keeps. */
export function figuresOf(token: Token): AlertFigures {
  const { copyOf, createdAt, marketCap, currentLiquidity, holderCount, scamProbability } = token;
  return { copyOf, createdAt, marketCap, currentLiquidity, holderCount, scamProbability };
}
