import { type Connection, type Model, Types } from 'mongoose';
import {
  ALERT_RULES_FULL,
  ALERT_RULES_MAX,
  type AlertRule,
  type AlertRuleChange,
  MUTE_TIME,
  type NewPresetAlert,
  type NewTargetAlert,
} from '../../../common/alerts/rules/model.ts';
import { PublicError } from '../../../common/errors.ts';
import { readyPresets } from '../../../common/presets/model.ts';
import type { RequestUser } from '../../http/caller.ts';
import { ensureIndexes } from '../../platform/database.ts';
import { createKeyedMutex } from '../../platform/keyed-mutex.ts';
import { presetModel } from '../../presets/model.ts';
import { createUserDocuments, type UserDocument } from '../../users/user-documents.ts';
import { createEngine, type Engine, type EngineDeps } from './engine.ts';
import { type AlertRuleFields, type AlertRuleRecord, alertRuleModel } from './model.ts';
import type { SavedPreset } from './present.ts';

type AlertRulesDeps = EngineDeps & { connection: Connection };

/** The alerts that users have set up: stored, watched, and turned into alerts. */
export type AlertRules = Awaited<ReturnType<typeof openAlertRules>>;

export async function openAlertRules(deps: AlertRulesDeps) {
  const { connection, bus, clock } = deps;
  const model = alertRuleModel(connection);
  await ensureIndexes(model);
  const engine = createEngine(deps, async (ids) => {
    for (const id of ids) {
      const fired = await model.findByIdAndDelete(id).lean<AlertRuleRecord>();
      if (fired) onRemoved(fired.userId.toHexString(), id);
    }
  });
  const onRemoved = (userId: string, id: string) => {
    watcher.remove(userId, id);
    bus.emit('alert-rule-changed', { userId, id });
  };
  const documents = createDocuments(model, deps, onRemoved);
  const reader = createReader(connection);
  const watcher = createWatcher({ ...deps, engine, reader });

  /** Watches a changed alert, and presents it. Throws `not-found` when it was deleted meanwhile. */
  async function watch({ _id, userId }: AlertRuleRecord): Promise<AlertRule> {
    const rule = (await watcher.refresh(userId.toHexString())).find(({ id }) => id === _id.toHexString());
    if (!rule) throw new PublicError('not-found');
    return rule;
  }

  const create = async (user: RequestUser, fields: AlertRuleFields): Promise<AlertRule> =>
    watch(await documents.create(user, user._id.toHexString(), fields));

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
    /** Throws `limit-reached`, `alert-exists`, `token-not-found`, and `no-price` while the price, or its value in dollars, is unknown. */
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
    /** Returns what the limits of the user's alerts by preset, and the one over all of them, left out in the present hour. */
    heldBack: engine.heldBack,
    start: watcher.start,
    settled: watcher.settled,
    stop: watcher.stop,
  };
}

/** Creates the stored alerts. `onDeleted`: this alert of this user is no longer stored. */
function createDocuments(
  model: Model<UserDocument>,
  { bus, clock }: Pick<AlertRulesDeps, 'bus' | 'clock'>,
  onDeleted: (userId: string, id: string) => void,
) {
  return createUserDocuments<AlertRuleFields, AlertRuleRecord>({
    model,
    max: ALERT_RULES_MAX,
    fullText: ALERT_RULES_FULL,
    present: (record) => record,
    onSaved: (userId, { _id }) => bus.emit('alert-rule-changed', { userId, id: _id.toHexString() }),
    derive(before, changed) {
      if (before?.kind === 'target' && ('preset' in changed || 'perHour' in changed || 'mutedUntil' in changed)) {
        throw new PublicError('invalid-input', { text: 'Only an alert by preset has a preset, a limit and a mute.' });
      }
      return {};
    },
    // One worker serves all requests, so that a check before the write suffices. An alert that fired may be set up again.
    async allow(userId, fields) {
      if (fields.kind !== 'target') return;
      const { address, target, direction } = fields;
      // Index: userId, place.
      const equal = { userId, address, direction, 'target.unit': target.unit, 'target.value': target.value };
      if (await model.exists(equal)) throw new PublicError('alert-exists');
    },
    onDeleted,
    clock,
  });
}

/** Keeps the watched alerts as they are stored. */
function createWatcher({
  engine,
  reader,
  bus,
  log,
}: Pick<AlertRulesDeps, 'bus' | 'log'> & { engine: Engine; reader: ReturnType<typeof createReader> }) {
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

  /** Does the same in the background. `problem`: logged after a failure. */
  function refreshLater(userId: string, problem: string): void {
    const done = refresh(userId)
      // Until the next change or start, the alerts are watched as they were.
      .catch((error: unknown) => log.warn({ error }, problem))
      .finally(() => running.delete(done));
    running.add(done);
  }

  return {
    refresh,
    /** Ends the watch of an alert, after reads in progress that found it still stored. Another one may take its place. */
    remove(userId: string, id: string): void {
      void inOrder(userId, async () => engine.remove(id, userId));
      if (engine.has(userId)) refreshLater(userId, 'the alerts of a user could not be read after one was removed');
    },
    /** Watches all stored alerts. Call it before the market starts. */
    async start(): Promise<void> {
      await engine.start();
      end = bus.on('preset-changed', ({ userId }) => {
        if (engine.has(userId)) refreshLater(userId, 'a changed preset could not be applied to the alerts');
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
      await engine.stop();
      await Promise.all(running);
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
