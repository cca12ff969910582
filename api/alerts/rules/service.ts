import { type Connection, Types } from 'mongoose';
import type { Logger } from 'pino';
import type { AlertHour } from '../../../common/alerts/model.ts';
import {
  ALERT_RULES_FULL,
  ALERT_RULES_MAX,
  type AlertRule,
  type AlertRuleChange,
  MUTE_TIME,
  type NewPresetAlert,
  type NewTargetAlert,
  ruleAlertsPerHour,
} from '../../../common/alerts/rules/model.ts';
import { PublicError } from '../../../common/errors.ts';
import { readyPresets } from '../../../common/presets/model.ts';
import type { Clock, Random } from '../../../common/time.ts';
import type { Token } from '../../../common/tokens/model.ts';
import type { EventSink, EventSource } from '../../events/bus.ts';
import type { RequestUser } from '../../http/caller.ts';
import { ensureIndexes } from '../../platform/database.ts';
import { createKeyedMutex } from '../../platform/keyed-mutex.ts';
import { presetModel } from '../../presets/model.ts';
import type { LiveIndex } from '../../tokens/list-index/live-index.ts';
import { filterContext, type TokenMarket } from '../../tokens/service.ts';
import { createUserDocuments } from '../../users/user-documents.ts';
import { createHours } from '../hour.ts';
import type { Outgoing } from '../send.ts';
import type { AlertStore } from '../store.ts';
import type { ReadTemplate } from '../text.ts';
import type { WebhookDelivery } from '../webhook-delivery.ts';
import { type AlertRuleFields, type AlertRuleRecord, alertRuleModel } from './model.ts';
import { presentAlertRule, type SavedPreset, type Watched, watchedBy } from './present.ts';
import { createPresetWatch } from './preset-watch.ts';
import { createTargetWatch } from './target-watch.ts';
import { createRuleWriter } from './write.ts';

export interface AlertRulesDeps {
  connection: Connection;
  index: Pick<LiveIndex, 'rows' | 'follow' | 'ready'>;
  market: Pick<TokenMarket, 'liveRecord' | 'solUsd'>;
  store: Pick<AlertStore, 'allowed' | 'insert' | 'countByRule'>;
  token(address: string): Promise<Token | null>;
  readTemplate: ReadTemplate;
  outgoing: Outgoing;
  webhooks: Pick<WebhookDelivery, 'deliveries' | 'add'>;
  bus: EventSource & EventSink;
  clock: Clock;
  random: Random;
  log: Logger;
}

/** The alerts that users have set up: stored, watched, and turned into alerts. */
export type AlertRules = Awaited<ReturnType<typeof openAlertRules>>;

export async function openAlertRules(deps: AlertRulesDeps) {
  const { connection, bus, clock } = deps;
  const model = alertRuleModel(connection);
  await ensureIndexes(model);
  const engine = createEngine(deps, async (ids) => {
    for (const id of ids) {
      const fired = await model.findByIdAndDelete(id).lean<AlertRuleRecord>();
      if (fired) bus.emit('alert-rule-changed', { userId: fired.userId.toHexString(), id });
    }
  });
  const documents = createUserDocuments<AlertRuleFields, AlertRuleRecord>({
    model,
    max: ALERT_RULES_MAX,
    present: (record) => record,
    onSaved: (userId, { _id }) => bus.emit('alert-rule-changed', { userId, id: _id.toHexString() }),
    derive(before, changed) {
      if (before?.kind === 'target' && ('preset' in changed || 'perHour' in changed || 'mutedUntil' in changed)) {
        throw new PublicError('invalid-input', { text: 'Only an alert by preset has a preset, a limit and a mute.' });
      }
      return {};
    },
    onDeleted(userId, id) {
      engine.remove(id, userId);
      bus.emit('alert-rule-changed', { userId, id });
    },
    clock,
  });
  const reader = createReader(connection);
  const inOrder = createKeyedMutex();
  const running = new Set<Promise<unknown>>();
  let end: () => void = () => undefined;

  /** Watches a user's alerts as they are stored, and presents them, oldest first. In order for each user. */
  function refresh(userId: string): Promise<AlertRule[]> {
    return inOrder(userId, async () => {
      const [records, presets] = await Promise.all([reader.rulesOf(userId), reader.presetsOf(userId)]);
      return records.map((record) => engine.put(record, presets));
    });
  }

  /** Watches a changed alert, and presents it. Throws `not-found` when it was deleted meanwhile. */
  async function watch({ _id, userId }: AlertRuleRecord): Promise<AlertRule> {
    const rule = (await refresh(userId.toHexString())).find(({ id }) => id === _id.toHexString());
    if (!rule) throw new PublicError('not-found');
    return rule;
  }

  async function create(user: RequestUser, fields: AlertRuleFields): Promise<AlertRule> {
    try {
      return await watch(await documents.create(user, user._id.toHexString(), fields));
    } catch (error) {
      const isFull = error instanceof PublicError && error.code === 'limit-reached';
      throw isFull ? new PublicError('limit-reached', { text: ALERT_RULES_FULL }) : error;
    }
  }

  /** Returns the name of a preset. Throws `not-found` for one that the user does not have. */
  async function nameOf(userId: string, preset: string): Promise<string> {
    if (readyPresets.some(({ name }) => name === preset)) return preset;
    const saved = (await reader.presetsOf(userId)).find(({ _id }) => _id.toHexString() === preset);
    if (!saved) throw new PublicError('not-found');
    return saved.name;
  }

  return {
    /** Oldest first. */
    async list(user: RequestUser): Promise<AlertRule[]> {
      const userId = user._id.toHexString();
      const [records, presets] = await Promise.all([documents.list(user, userId), reader.presetsOf(userId)]);
      return records.reverse().map((record) => engine.present(record, presets));
    },
    /** Throws `limit-reached`, and `not-found` for an unknown preset. */
    async createForPreset(user: RequestUser, { preset, perHour, channels }: NewPresetAlert): Promise<AlertRule> {
      const presetName = await nameOf(user._id.toHexString(), preset);
      const since = new Date(clock.now());
      return create(user, { kind: 'preset', preset, presetName, perHour, channels, mutedUntil: null, since });
    },
    /** Throws `limit-reached`, `token-not-found`, and `no-price` while the price, or its value in dollars, is unknown. */
    async createAtPrice(user: RequestUser, { address, target, channels }: NewTargetAlert): Promise<AlertRule> {
      const token = await deps.token(address);
      if (!token) throw new PublicError('token-not-found');
      const present = target.unit === 'price' ? token.price : token.marketCap;
      if (present === null) throw new PublicError('no-price');
      const direction = target.value >= present ? 'up' : 'down';
      return create(user, { kind: 'target', address, symbol: token.symbol, target, direction, channels });
    },
    /** Changes the given fields; those of a preset do not concern an alert at a price. */
    async change(user: RequestUser, id: string, { preset, muted, ...rest }: AlertRuleChange): Promise<AlertRule> {
      const now = clock.now();
      const renewed =
        preset === undefined
          ? {}
          : { preset, presetName: await nameOf(user._id.toHexString(), preset), since: new Date(now) };
      const mute = muted === undefined ? {} : { mutedUntil: muted ? new Date(now + MUTE_TIME) : null };
      return watch(await documents.change(user, id, { ...rest, ...renewed, ...mute }));
    },
    remove: documents.remove,
    /** Returns the user's alerts by preset whose limits left out matches in the present hour. */
    heldBack: engine.heldBack,
    /** Watches all stored alerts. Call it before the market starts. */
    async start(): Promise<void> {
      await engine.start();
      end = bus.on('preset-changed', ({ userId }) => {
        if (!engine.has(userId)) return;
        const done = refresh(userId)
          // Until the next change or start, the alert watches the preset as it was.
          .catch((error: unknown) => deps.log.warn({ error }, 'a changed preset could not be applied to the alerts'))
          .finally(() => running.delete(done));
        running.add(done);
      });
      for (const userId of await reader.users()) await refresh(userId);
      engine.begin();
    },
    /** Compares what changed with the presets, and resolves when all alerts found until now are stored. */
    async settled(): Promise<void> {
      await Promise.all(running);
      engine.advance();
      await engine.settled();
    },
    async stop(): Promise<void> {
      end();
      await Promise.all([engine.stop(), ...running]);
    },
  };
}

/** Watches presets and prices, and writes alerts. `onFired`: these alerts at prices have fired for good. */
function createEngine(deps: AlertRulesDeps, onFired: (ids: readonly string[]) => Promise<void>) {
  const { index, market, store, bus, clock } = deps;
  const log = deps.log.child({ part: 'alerts of users' });
  const stopping = new AbortController();
  const limitOf = (id: string) => presets.rule(id)?.perHour ?? ruleAlertsPerHour.default;
  const hours = createHours({ count: store.countByRule, limitOf, keyOf: ({ ref }) => ref ?? '' });
  const writer = createRuleWriter({
    ...{ ...deps, hours, limitOf, log, signal: stopping.signal },
    onFired: (firings) => onFired(firings.map(({ ruleId }) => ruleId)),
  });
  const presets = createPresetWatch({
    index,
    context: () => filterContext(market, clock),
    found: ({ address, rules, condition, isFromStart }) =>
      writer.offer({
        ...{ type: 'preset_match', address, isFromStart },
        firings: rules.map(({ id, userId, channels, name }) => ({
          ...{ ruleId: id, userId, channels, why: { preset: name, condition } },
        })),
      }),
  });
  const targets = createTargetWatch({
    market,
    found: ({ id, userId, channels, address, target, direction }) =>
      writer.offer({
        ...{ type: 'price_target', address, isFromStart: false },
        firings: [{ ruleId: id, userId, channels, why: { target, direction } }],
      }),
  });
  const byUser = new Map<string, Set<string>>();
  let end: () => void = () => undefined;

  function present(record: AlertRuleRecord, saved: readonly SavedPreset[]): AlertRule {
    const [id, now] = [record._id.toHexString(), clock.now()];
    const watched: Watched | null = record.kind === 'preset' ? watchedBy(record, saved) : null;
    const isFull = watched !== null && 'list' in watched && presets.rule(id) === undefined;
    return presentAlertRule(record, { watched, isFull, counts: countsOf(id), now });
  }

  function countsOf(id: string) {
    const { received, heldBack } = hours.of(id, clock.now());
    return { received, heldBack };
  }

  return {
    present,
    /** Watches an alert as it is now. `saved`: the saved presets of its user. */
    put(record: AlertRuleRecord, saved: readonly SavedPreset[]): AlertRule {
      const [id, userId] = [record._id.toHexString(), record.userId.toHexString()];
      if (record.kind === 'target') targets.put({ ...record, id, userId });
      else {
        const { perHour, channels, mutedUntil } = record;
        const watched = watchedBy(record, saved);
        if ('problem' in watched) presets.remove(id);
        else presets.put({ id, userId, perHour, channels, mutedUntil: mutedUntil?.getTime() ?? 0, ...watched });
        byUser.set(userId, (byUser.get(userId) ?? new Set<string>()).add(id));
      }
      return present(record, saved);
    },
    /** Returns whether a user has an alert by preset. */
    has: (userId: string) => byUser.has(userId),
    remove(id: string, userId: string): void {
      presets.remove(id);
      targets.remove(id);
      const others = byUser.get(userId);
      others?.delete(id);
      if (others?.size === 0) byUser.delete(userId);
    },
    heldBack(userId: string): AlertHour['presets'] {
      return [...(byUser.get(userId) ?? [])].flatMap((id) => {
        const rule = presets.rule(id);
        const { heldBack } = countsOf(id);
        return rule === undefined || heldBack === 0 ? [] : [{ name: rule.name, limit: rule.perHour, heldBack }];
      });
    },
    start: () => hours.load(clock.now()),
    begin(): void {
      end = bus.on('trade', targets.onTrades);
      presets.start();
    },
    advance: presets.advance,
    settled: writer.settled,
    async stop(): Promise<void> {
      end();
      presets.stop();
      stopping.abort();
      await writer.stop();
    },
  };
}

/** Reads stored alerts and presets. */
function createReader(connection: Connection) {
  const rules = alertRuleModel(connection);
  const presets = presetModel(connection);
  const presetsOf = (userId: string) =>
    // Index: userId, place.
    presets.find({ userId: new Types.ObjectId(userId) }).lean<SavedPreset[]>();
  return {
    presetsOf,
    /** Oldest first. Index: userId, createdAt, _id. */
    rulesOf: (userId: string) =>
      rules
        .find({ userId: new Types.ObjectId(userId) })
        .sort({ createdAt: 1, _id: 1 })
        .lean<AlertRuleRecord[]>(),
    /** Returns the users who have alerts. Index: userId, place. */
    users: async () => (await rules.distinct('userId')).map((userId) => userId.toHexString()),
  };
}
