import type { Logger } from 'pino';
import type { AlertHour } from '../../../common/alerts/model.ts';
import { type AlertRule, ruleAlertsPerHour } from '../../../common/alerts/rules/model.ts';
import type { Clock, Random } from '../../../common/time.ts';
import type { Token } from '../../../common/tokens/model.ts';
import type { EventSink, EventSource } from '../../events/bus.ts';
import type { LiveIndex } from '../../tokens/list-index/live-index.ts';
import { filterContext, type TokenMarket } from '../../tokens/service.ts';
import { createHours } from '../hour.ts';
import type { Outgoing } from '../send.ts';
import type { AlertStore } from '../store.ts';
import type { ReadTemplate } from '../text.ts';
import type { WebhookDelivery } from '../webhook-delivery.ts';
import type { AlertRuleRecord } from './model.ts';
import { presentAlertRule, type SavedPreset, type Watched, watchedBy } from './present.ts';
import { createPresetWatch, type PresetMatch } from './preset-watch.ts';
import { createTargetWatch, type TargetRule } from './target-watch.ts';
import { createRuleWriter, type RuleMatch } from './write.ts';

export interface EngineDeps {
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

/** The alerts that users have set up, watched and turned into alerts. */
export type Engine = ReturnType<typeof createEngine>;

/** Watches presets and prices, and writes alerts. `onFired`: these alerts at prices have fired for good. */
export function createEngine(deps: EngineDeps, onFired: (ids: readonly string[]) => Promise<void>) {
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
    found: (match) => writer.offer(presetMatch(match)),
  });
  const targets = createTargetWatch({
    ...{ bus, market },
    found: (rule) => writer.offer(targetMatch(rule)),
  });
  const byUser = new Map<string, Set<string>>();

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
    begin: presets.start,
    advance: presets.advance,
    settled: writer.settled,
    async stop(): Promise<void> {
      targets.stop();
      presets.stop();
      stopping.abort();
      await writer.stop();
    },
  };
}

function presetMatch({ address, rules, condition, isFromStart }: PresetMatch): RuleMatch {
  const firings = rules.map(({ id, userId, channels, name }) => {
    const why = { preset: name, condition };
    return { ruleId: id, userId, channels, why };
  });
  return { type: 'preset_match', address, firings, isFromStart };
}

function targetMatch({ id, userId, channels, address, target, direction }: TargetRule): RuleMatch {
  const firings = [{ ruleId: id, userId, channels, why: { target, direction } }];
  return { type: 'price_target', address, firings, isFromStart: false };
}
