import { Types } from 'mongoose';
import PQueue from 'p-queue';
import type { Logger } from 'pino';
import { type AlertCause, causeText } from '../../../common/alerts/cause.ts';
import { heldBackText } from '../../../common/alerts/model.ts';
import type { AlertChannels } from '../../../common/alerts/rules/model.ts';
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
/** Matches that wait; further ones are counted as left out. */
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
  store: Pick<AlertStore, 'allowed' | 'insert'>;
  /** Counts by alert. */
  hours: Hours;
  limitOf(ruleId: string): number;
  /** Resolves with the token as it is now; null when it was removed. */
  token(address: string): Promise<Token | null>;
  readTemplate: ReadTemplate;
  outgoing: Outgoing;
  webhooks: Pick<WebhookDelivery, 'deliveries' | 'add'>;
  bus: EventSink;
  /** Called after the alerts at prices were stored, by this process or an earlier one. */
  onFired(firings: readonly Firing[]): Promise<void>;
  clock: Clock;
  random: Random;
  log: Logger;
  signal: AbortSignal;
}

/** Turns matches of alerts that users have set up into stored alerts, within the limit of each. */
export function createRuleWriter(deps: RuleWriterDeps) {
  const { signal, clock, hours } = deps;
  const queue = new PQueue({ concurrency: 1 });
  const retry = createDatabaseRetry({ ...deps, what: 'alerts' });

  return {
    offer(match: RuleMatch): void {
      if (signal.aborted) return;
      if (queue.size < WAITING_MAX || match.type === 'price_target') {
        void queue.add(() => orLog('alerts could not be stored', () => writeMatch(match, deps, retry), deps));
        return;
      }
      hours.holdBack(
        match.firings.map(({ ruleId }) => ruleId),
        clock.now(),
      );
    },
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
  const { store, hours, outgoing, webhooks, bus, clock, onFired } = deps;
  const at = clock.now();
  const isLimited = match.type === 'preset_match';
  const ids = match.firings.map(({ ruleId }) => ruleId);
  const free = new Set(isLimited ? hours.free(ids, at) : ids);
  const isOfHour = !match.isFromStart || hourOf(Date.parse(token.detectedAt)) === hourOf(at);
  const leftOut = isOfHour ? ids.filter((id) => !free.has(id)) : [];
  hours.holdBack(leftOut, at);
  const firings = match.firings.filter(({ ruleId }) => free.has(ruleId));
  const allowed = await retry(() =>
    store.allowed(
      match.address,
      firings.map(({ userId }) => userId),
    ),
  );
  const wanted = firings.filter(({ userId }) => allowed.has(userId));
  const made = await retry(() => makeRecords({ ...match, firings: wanted }, token, at, deps));
  const stored = await retry(() => store.insert(made));
  if (isLimited) hours.add(stored);
  for (const record of stored) {
    bus.emit('alert-created', { userId: record.userId.toHexString(), alert: presentAlert(record) });
  }
  outgoing.add(stored);
  webhooks.add(stored);
  if (!isLimited) await retry(() => onFired(match.firings));
}

/** Makes the alerts of a token, with the messages that their channels want. `at`: epoch ms. */
async function makeRecords(
  { type, address, firings }: RuleMatch,
  token: Token,
  at: number,
  { readTemplate, outgoing, webhooks, hours, limitOf }: RuleWriterDeps,
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
    const count = hours.unmentioned(ruleId);
    const note = count === 0 ? null : `${heldBackText(count, 'last hour', limitOf(ruleId))}.`;
    return {
      ...{ _id: new Types.ObjectId(), userId: new Types.ObjectId(userId), type, address, ref: ruleId, name, symbol },
      ...{ text: fill({ ...variables, 'alert.reason': causeText(cause) }).text, price, at: date, cause },
      figures: figuresOf(token),
      telegram: message === undefined ? null : { ...message, note },
      webhook: (webhook ? deliveries.get(userId) : undefined) ?? null,
    };
  });
}
