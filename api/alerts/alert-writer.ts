import { setImmediate as nextTurn } from 'node:timers/promises';
import { Types } from 'mongoose';
import PQueue from 'p-queue';
import type { Logger } from 'pino';
import { type AlertFigures, heldBackText } from '../../common/alerts/model.ts';
import type { TokenAlertType } from '../../common/templates/model.ts';
import type { Clock, Random } from '../../common/time.ts';
import type { Token } from '../../common/tokens/model.ts';
import type { EventSink } from '../events/bus.ts';
import type { Outgoing } from './delivery/queue.ts';
import type { HeldBack } from './limit/held-back.ts';
import { isFirst, type Places } from './limit/places.ts';
import { bestFirst, type TokenMatch } from './limit/ranking.ts';
import type { Match } from './matching/match.ts';
import { isYoung } from './matching/young-tokens.ts';
import type { AlertRecord } from './model.ts';
import { createDatabaseRetry, type DatabaseRetry } from './retry.ts';
import { type AlertStore, presentAlert } from './store.ts';
import type { AlertText } from './text.ts';

/** Users in one write; the rest of the process runs between two writes. */
const BATCH = 250;
/** Users in the backlog, over all matches; beyond it the matcher matches again later. */
const BACKLOG_MAX = 500_000;
/** Weight of a match besides its users, in users: it holds a copy of a token. */
export const MATCH_WEIGHT = 20;
/** Matches of this time take their places together, best first, ms: a few launches on a busy market. */
const COLLECT_MS = 3_000;

/** How a user of the bot changes the limit. */
const CHANGE_LIMIT = 'Change it by /alerts limit 10.';
const NONE: ReadonlyMap<string, number> = new Map();

export interface AlertWriterDeps {
  store: Pick<AlertStore, 'allowed' | 'insert'>;
  places: Places;
  heldBack: Pick<HeldBack, 'add' | 'ofLastHour' | 'store'>;
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
  backlogMax?: number;
}

/** Turns matches into stored alerts: those about watched tokens at once, others best first after a few seconds. */
export interface AlertWriter {
  /** Adds a match to the backlog. Returns false when it is full. */
  offer(match: Match): boolean;
  /** True while the backlog has no room for a match of one user. */
  isFull(): boolean;
  /** Ends the collection of matches, and resolves when the backlog is empty. */
  settled(): Promise<void>;
  /** Drops the backlog and resolves when the present write has ended. The next start finds the dropped matches again. */
  stop(): Promise<void>;
}

export function createAlertWriter(deps: AlertWriterDeps): AlertWriter {
  const { signal, backlogMax = BACKLOG_MAX } = deps;
  const backlog = new PQueue({ concurrency: 1 });
  const retry = createDatabaseRetry({ ...deps, what: 'alerts' });
  let collected: Match[] = [];
  let timer: NodeJS.Timeout | undefined;
  /** Weight of the backlog, the collected and the present matches included. */
  let weight = 0;

  function enqueue(matches: readonly Match[]): void {
    void backlog.add(async () => {
      await writeMatches(matches, deps, retry);
      weight -= weightOf(...matches);
    });
  }

  function endCollection(): void {
    clearTimeout(timer);
    timer = undefined;
    if (collected.length > 0) enqueue(collected);
    collected = [];
  }

  return {
    offer(match) {
      // A match larger than the whole backlog is taken when nothing else waits.
      if (signal.aborted || (weight > 0 && weight + weightOf(match) > backlogMax)) return false;
      weight += weightOf(match);
      if (match.isWatched) {
        enqueue([match]);
        return true;
      }
      collected.push(match);
      timer ??= setTimeout(endCollection, COLLECT_MS);
      return true;
    },
    isFull: () => signal.aborted || weight + MATCH_WEIGHT + 1 > backlogMax,
    async settled() {
      endCollection();
      await backlog.onIdle();
    },
    async stop() {
      clearTimeout(timer);
      collected = [];
      backlog.clear();
      await backlog.onIdle();
    },
  };
}

function weightOf(...matches: readonly Match[]): number {
  return matches.reduce((sum, { userIds }) => sum + userIds.length + MATCH_WEIGHT, 0);
}

/** Stores the alerts of matches, best first, in batches of users. Never rejects. */
async function writeMatches(matches: readonly Match[], deps: AlertWriterDeps, retry: DatabaseRetry): Promise<void> {
  const { clock, heldBack } = deps;
  await orLog(deps, 'counts of alerts held back could not be stored', () => retry(() => heldBack.store(clock.now())));
  const found = await withTokens(matches, deps, retry);
  // Each by itself: a match that fails must not take the others of its collection with it.
  for (const match of bestFirst(found)) {
    await orLog(deps, 'alerts could not be stored', () => writeMatch(match, deps, retry));
  }
}

/** Resolves with the result of `work`; null when it failed, which is logged. */
async function orLog<Result>(
  { log, signal }: Pick<AlertWriterDeps, 'log' | 'signal'>,
  failure: string,
  work: () => Promise<Result>,
): Promise<Result | null> {
  try {
    return await work();
  } catch (error) {
    // Alerts lost to a stop are found again after the next start.
    if (!signal.aborted) log.error({ error }, failure);
    return null;
  }
}

async function writeMatch(match: TokenMatch, deps: AlertWriterDeps, retry: DatabaseRetry): Promise<void> {
  for (let from = 0; from < match.userIds.length; from += BATCH) {
    await writeBatch({ ...match, userIds: match.userIds.slice(from, from + BATCH) }, deps, retry);
    await nextTurn();
  }
}

/** Loads the tokens that are not in memory, and drops the matches that have waited too long for the database. */
async function withTokens(matches: readonly Match[], deps: AlertWriterDeps, retry: DatabaseRetry) {
  const found: TokenMatch[] = [];
  for (const match of matches) {
    const load = () => retry(() => deps.token(match.address));
    const token = match.token ?? (await orLog(deps, 'the token of an alert could not be read', load));
    if (token && (match.type !== 'new_token' || isYoung(token, deps.clock.now()))) found.push({ ...match, token });
  }
  return found;
}

/** Stores the alerts of users who have a place left in this hour, and counts those of the others. */
async function writeBatch(match: TokenMatch, deps: AlertWriterDeps, retry: DatabaseRetry): Promise<void> {
  const { store, places, heldBack, outgoing, bus, onStored, clock } = deps;
  const written: string[] = [];
  const records: AlertRecord[] = [];
  // Repeated for users whose place another process took.
  for (let userIds = match.userIds; userIds.length > 0; ) {
    const at = clock.now();
    const free = await retry(() => places.next(userIds, at, match.isWatched));
    // Not read from the database, since these are most users on a busy market.
    if (!match.isFromStart)
      heldBack.add(
        userIds.filter((id) => !free.has(id)),
        at,
      );
    if (free.size === 0) break;
    const allowed = await retry(() => store.allowed(match.address, [...free.keys()]));
    const made = await makeRecords(match, { free, allowed, at }, deps, retry);
    const { stored, contested } = await retry(() => store.insert(made));
    places.take(stored);
    userIds = contested.map(({ userId }) => userId.toHexString());
    places.forget(userIds);
    const again = new Set(userIds);
    written.push(...[...allowed].filter((id) => !again.has(id)));
    records.push(...stored);
  }
  for (const record of records) {
    bus.emit('alert-created', { userId: record.userId.toHexString(), alert: presentAlert(record) });
  }
  if (records.some(({ telegram }) => telegram !== null)) outgoing.wake();
  if (written.length > 0) await retry(() => onStored(match, written, records));
}

interface Recipients {
  /** Next places, by user. */
  free: ReadonlyMap<string, number | null>;
  allowed: ReadonlySet<string>;
  /** Epoch ms. */
  at: number;
}

/** Makes the alerts of the allowed users, with the note about alerts held back in the hour before. */
async function makeRecords(
  { type, address, token }: TokenMatch,
  { free, allowed, at }: Recipients,
  deps: AlertWriterDeps,
  retry: DatabaseRetry,
): Promise<AlertRecord[]> {
  const { textOf, outgoing, heldBack, limitOf } = deps;
  const userIds = [...free.keys()].filter((id) => allowed.has(id));
  if (userIds.length === 0) return [];
  const { text, template } = await retry(() => textOf(type, token));
  const messages = await retry(() => outgoing.messages(userIds, template, new Date(at)));
  const first = userIds.filter((id) => messages.has(id) && isFirst(free.get(id) ?? null));
  const lastHour = () => retry(() => heldBack.ofLastHour(first, at));
  const failure = 'counts of alerts held back could not be read';
  const missed = (first.length > 0 && (await orLog(deps, failure, lastHour))) || NONE;
  const { name, symbol, price } = token;
  const alert = { type, address, ref: null, name, symbol, text, price, figures: figuresOf(token), at: new Date(at) };
  return userIds.map((id) => {
    const message = messages.get(id) ?? null;
    const count = missed.get(id) ?? 0;
    const note = count === 0 ? null : `${heldBackText(count, 'last hour', limitOf(id))}. ${CHANGE_LIMIT}`;
    return {
      ...{ ...alert, _id: new Types.ObjectId(), userId: new Types.ObjectId(id), place: free.get(id) ?? null },
      telegram: message && { ...message, note },
    };
  });
}

function figuresOf({ copyOf, createdAt, marketCap, currentLiquidity, scamProbability }: Token): AlertFigures {
  return { copyOf, createdAt, marketCap, currentLiquidity, scamProbability };
}
