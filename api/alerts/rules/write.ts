import { Types } from 'mongoose';
import PQueue from 'p-queue';
import type { Logger } from 'pino';
import { type AlertCause, causeText } from '../../../common/alerts/cause.ts';
import { allPresetsText, droppedText, heldBackText } from '../../../common/alerts/model.ts';
import { type AlertChannels, PRESET_ALERTS_PER_HOUR } from '../../../common/alerts/rules/model.ts';
import { tokenVariables } from '../../../common/templates/variables.ts';
import type { Clock, Random } from '../../../common/time.ts';
import type { Token } from '../../../common/tokens/model.ts';
import type { EventSink } from '../../events/bus.ts';
import { type Hours, hourOf } from '../hour.ts';
import type { AlertRecord } from '../model.ts';
import type { Outgoing } from '../send.ts';
import { type AlertStore, createDatabaseRetry, type DatabaseRetry, presentAlert } from '../store.ts';
import type { ReadTemplate } from '../text.ts';
import type { WebhookDelivery } from '../webhook-delivery.ts';
import { figuresOf, orLog } from '../write.ts';

/** Alerts in one write. */
const BATCH = 250;
/** Matches that wait; further ones of a preset are dropped and counted as such. */
const WAITING_MAX = 2_000;

/** An alert that fires. */
interface Firing {
  ruleId: string;
  userId: string;
  channels: AlertChannels;
  why: AlertCause['why'];
}

/** A token with the alerts that it fires: all of one type. */
export interface RuleMatch {
  type: 'preset_match' | 'price_target';
  address: string;
  firings: readonly Firing[];
  /** Found among the stored tokens at a start, perhaps again. */
  isFromStart: boolean;
}

interface RuleWriterDeps {
  store: Pick<AlertStore, 'allowed' | 'insert' | 'causedBy'>;
  /** Counts by alert, and the matches beyond its own limit. */
  hours: Hours;
  /** Counts of the alerts by preset, by user, and the matches beyond the limit over all presets. */
  userHours: Hours;
  limitOf(ruleId: string): number;
  /** Resolves with the token as it is now; null when it was removed. */
  token(address: string): Promise<Token | null>;
  readTemplate: ReadTemplate;
  outgoing: Outgoing;
  webhooks: Pick<WebhookDelivery, 'deliveries' | 'add'>;
  bus: EventSink;
  /** Called after the alerts at prices were stored, by this process or an earlier one. */
  onFired(firings: readonly Firing[]): Promise<void>;
  /** Called when the work on an alert at a price has ended, whether it was stored or not. */
  onEnded(ruleId: string): void;
  clock: Clock;
  random: Random;
  log: Logger;
  signal: AbortSignal;
  /** Matches that wait, at most; fewer in tests. */
  waitingMax?: number;
}

/** Turns matches of alerts that users have set up into stored alerts, within the limit of each. */
export function createRuleWriter(deps: RuleWriterDeps) {
  const { signal, clock, waitingMax = WAITING_MAX } = deps;
  const queue = new PQueue({ concurrency: 1 });
  const retry = createDatabaseRetry({ ...deps, what: 'alerts' });

  return {
    offer(match: RuleMatch): void {
      if (signal.aborted) return;
      if (queue.size < waitingMax || match.type === 'price_target' || match.isFromStart) {
        void queue.add(async () => {
          await orLog('alerts could not be stored', () => writeMatch(match, deps, retry), deps);
          if (match.type === 'price_target') for (const { ruleId } of match.firings) deps.onEnded(ruleId);
        });
        return;
      }
      drop(match.firings, clock.now(), deps);
    },
    /** Resolves when another match can wait. */
    room: () => queue.onSizeLessThan(waitingMax),
    /** Resolves when all alerts are stored. */
    settled: () => queue.onIdle(),
    /** Drops the matches that wait, and resolves when the present write has ended. */
    async stop(): Promise<void> {
      queue.clear();
      await queue.onIdle();
    },
  };
}

async function writeMatch(match: RuleMatch, deps: RuleWriterDeps, retry: DatabaseRetry): Promise<void> {
  const token = await retry(() => deps.token(match.address));
  if (token === null) return;
  for (let from = 0; from < match.firings.length; from += BATCH) {
    await writeBatch({ ...match, firings: match.firings.slice(from, from + BATCH) }, token, deps, retry);
  }
}

async function writeBatch(match: RuleMatch, token: Token, deps: RuleWriterDeps, retry: DatabaseRetry): Promise<void> {
  const { store, hours, userHours, outgoing, webhooks, bus, clock, onFired } = deps;
  const at = clock.now();
  const isLimited = match.type === 'preset_match';
  const { firings, leftOut } = isLimited
    ? withinLimits(match.firings, at, deps)
    : { firings: match.firings, leftOut: [] };
  await holdBack(match, { token, leftOut, at }, deps, retry);
  const allowed = await retry(() =>
    store.allowed(
      match.address,
      firings.map(({ userId }) => userId),
    ),
  );
  const wanted = firings.filter(({ userId }) => allowed.has(userId));
  const made = await retry(() => makeRecords({ ...match, firings: wanted }, token, at, deps));
  const stored = await retry(() => store.insert(made));
  if (isLimited) for (const counts of [hours, userHours]) counts.add(stored);
  for (const record of stored) {
    bus.emit('alert-created', { userId: record.userId.toHexString(), alert: presentAlert(record) });
  }
  outgoing.add(stored);
  webhooks.add(stored);
  if (!isLimited) await retry(() => onFired(wanted));
}

/** An alert that a limit leaves out: its own, or the one over all presets of its user. */
interface LeftOut {
  firing: Firing;
  limit: 'own' | 'user';
}

/** Returns the alerts that their own limit and the one of their user allow at `at`, epoch ms, and the others. */
function withinLimits(
  all: readonly Firing[],
  at: number,
  { hours, userHours }: Pick<RuleWriterDeps, 'hours' | 'userHours'>,
): { firings: Firing[]; leftOut: LeftOut[] } {
  const ids = all.map(({ ruleId }) => ruleId);
  const free = new Set(hours.free(ids, at));
  const left = new Map<string, number>();
  const firings: Firing[] = [];
  const leftOut: LeftOut[] = [];
  for (const firing of all) {
    const { ruleId, userId } = firing;
    const { limit, received } = userHours.of(userId, at);
    const leftOfUser = left.get(userId) ?? limit - received;
    if (!free.has(ruleId)) leftOut.push({ firing, limit: 'own' });
    else if (leftOfUser <= 0) leftOut.push({ firing, limit: 'user' });
    else {
      left.set(userId, leftOfUser - 1);
      firings.push(firing);
    }
  }
  return { firings, leftOut };
}

/** Counts alerts that too many others kept from waiting: with the limit that leaves them out already, else as dropped. */
function drop(all: readonly Firing[], at: number, deps: Pick<RuleWriterDeps, 'hours' | 'userHours'>): void {
  const { firings, leftOut } = withinLimits(all, at, deps);
  deps.hours.drop(
    firings.map(({ ruleId }) => ruleId),
    at,
  );
  for (const one of leftOut) countLeftOut(one, at, deps);
}

/** Counts the alerts that a limit leaves out, with that limit. `at`: epoch ms. */
async function holdBack(
  { address, isFromStart }: RuleMatch,
  { token, leftOut, at }: { token: Token; leftOut: readonly LeftOut[]; at: number },
  deps: Pick<RuleWriterDeps, 'store' | 'hours' | 'userHours'>,
  retry: DatabaseRetry,
): Promise<void> {
  if (leftOut.length === 0) return;
  if (isFromStart && hourOf(Date.parse(token.detectedAt)) !== hourOf(at)) return;
  // A start finds matches again that caused their alert before.
  const all = leftOut.map(({ firing }) => firing);
  const known = isFromStart ? await retry(() => deps.store.causedBy(address, all)) : new Set<string>();
  for (const one of leftOut) if (!known.has(one.firing.ruleId)) countLeftOut(one, at, deps);
}

function countLeftOut(
  { firing, limit }: LeftOut,
  at: number,
  { hours, userHours }: Pick<RuleWriterDeps, 'hours' | 'userHours'>,
): void {
  if (limit === 'own') hours.holdBack([firing.ruleId], at);
  else userHours.holdBack([firing.userId], at);
}

/** Makes the alerts of a token, with the messages that their channels want. `at`: epoch ms. */
async function makeRecords(
  { type, address, firings }: RuleMatch,
  token: Token,
  at: number,
  { readTemplate, outgoing, webhooks, hours, userHours, limitOf }: RuleWriterDeps,
): Promise<AlertRecord[]> {
  const date = new Date(at);
  const usersOf = (channel: 'telegram' | 'webhook') =>
    firings.filter(({ channels }) => channels[channel]).map(({ userId }) => userId);
  const fill = await readTemplate(type);
  const [messages, deliveries] = await Promise.all([
    outgoing.messages(usersOf('telegram'), fill({}).template, date),
    webhooks.deliveries(usersOf('webhook'), date),
  ]);
  const { name, symbol, price } = token;
  const variables = tokenVariables(token, at);
  return firings.map(({ ruleId, userId, channels: { sound, desktop, telegram, webhook }, why }) => {
    const cause = { why, sound, desktop };
    const message = telegram ? messages.get(userId) : undefined;
    const note = noteOf(
      { own: hours.unmentioned(ruleId), ofUser: userHours.unmentioned(userId).heldBack },
      limitOf(ruleId),
    );
    return {
      ...{ _id: new Types.ObjectId(), userId: new Types.ObjectId(userId), type, address, ref: ruleId, name, symbol },
      ...{ text: fill({ ...variables, 'alert.reason': causeText(cause) }).text, price, at: date, cause },
      figures: figuresOf(token),
      telegram: message === undefined ? null : { ...message, note },
      webhook: (webhook ? deliveries.get(userId) : undefined) ?? null,
    };
  });
}

/**
 * Returns the lines about matches of the last hour that the own limit, a full queue, and the limit of the user left out; null for
 * none.
 */
function noteOf(
  { own, ofUser }: { own: ReturnType<Hours['unmentioned']>; ofUser: number },
  limit: number,
): string | null {
  const texts = [
    ...(own.heldBack === 0 ? [] : [`${heldBackText(own.heldBack, 'last hour', limit)}.`]),
    ...(own.dropped === 0 ? [] : [`${droppedText(own.dropped, 'last hour')}.`]),
    ...(ofUser === 0 ? [] : [`${allPresetsText(ofUser, 'last hour', PRESET_ALERTS_PER_HOUR)}.`]),
  ];
  return texts.length === 0 ? null : texts.join('\n');
}
