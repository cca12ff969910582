import type { Logger } from 'pino';
import type { AlertHour } from '../../../common/alerts/model.ts';
import { type AlertRule, PRESET_ALERTS_PER_HOUR, ruleAlertsPerHour } from '../../../common/alerts/rules/model.ts';
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

/** Different filters that are watched for one user, so that a few users cannot use up all. */
const FILTERS_OF_USER_MAX = 20;

export interface EngineDeps {
  index: Pick<LiveIndex, 'rows' | 'follow' | 'ready'>;
  market: Pick<TokenMarket, 'liveRecord' | 'solUsd'>;
  store: Pick<AlertStore, 'allowed' | 'insert' | 'causedBy' | 'countByRule' | 'countOfPresetsByUser'>;
  token(address: string): Promise<Token | null>;
  readTemplate: ReadTemplate;
  outgoing: Outgoing;
  webhooks: Pick<WebhookDelivery, 'deliveries' | 'add'>;
  bus: EventSource & EventSink;
  clock: Clock;
  random: Random;
  log: Logger;
  /** Matches of presets that wait, at most; fewer in tests. */
  waitingMax?: number;
}

/** The alerts that users have set up, watched and turned into alerts. */
export type Engine = ReturnType<typeof createEngine>;

/** Watches presets and prices, and writes alerts. `onFired`: these alerts at prices have fired for good. */
export function createEngine(deps: EngineDeps, onFired: (ids: readonly string[]) => Promise<void>) {
  const { index, market, store, bus, clock } = deps;
  const log = deps.log.child({ part: 'alerts of users' });
  const stopping = new AbortController();
  const limitOf = (id: string) => presets.rule(id)?.perHour ?? ruleAlertsPerHour.default;
  const { hours, userHours, countsOf, allPresetsOf, load } = createRuleHours(store, limitOf);
  const writer = createRuleWriter({
    ...{ ...deps, hours, userHours, limitOf, log, signal: stopping.signal },
    onFired: (firings) => onFired(firings.map(({ ruleId }) => ruleId)),
    onEnded: (ruleId) => targets.rest(ruleId),
  });
  const presets = createPresetWatch({
    index,
    context: () => filterContext(market, clock),
    found: (match) => writer.offer(presetMatch(match)),
    room: writer.room,
  });
  const targets = createTargetWatch({
    ...{ bus, market, clock },
    found: (rule) => writer.offer(targetMatch(rule)),
  });
  const byUser = createRulesOfUsers((id) => presets.rule(id)?.list);

  function present(record: AlertRuleRecord, saved: readonly SavedPreset[]): AlertRule {
    const [id, now] = [record._id.toHexString(), clock.now()];
    const watched: Watched | null = record.kind === 'preset' ? watchedBy(record, saved) : null;
    const isRefused = watched !== null && 'list' in watched && presets.rule(id) === undefined;
    const refusedBy = isRefused ? (byUser.isShareUsed(record.userId.toHexString()) ? 'user' : 'server') : null;
    return presentAlertRule(record, { watched, refusedBy, counts: countsOf(id, now), now });
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
        if ('problem' in watched || !byUser.isWithinShare(userId, id, watched.list)) presets.remove(id);
        else presets.put({ id, userId, perHour, channels, mutedUntil: mutedUntil?.getTime() ?? 0, ...watched });
        byUser.add(userId, id);
      }
      return present(record, saved);
    },
    /** Returns whether a user has an alert by preset. */
    has: byUser.has,
    remove(id: string, userId: string): void {
      presets.remove(id);
      targets.remove(id);
      byUser.remove(userId, id);
    },
    heldBack(userId: string): Pick<AlertHour, 'presets' | 'allPresets'> {
      const own = byUser.idsOf(userId).flatMap((id) => {
        const rule = presets.rule(id);
        const { heldBack, dropped } = countsOf(id, clock.now());
        const isComplete = heldBack === 0 && dropped === 0;
        return rule === undefined || isComplete ? [] : [{ name: rule.name, limit: rule.perHour, heldBack, dropped }];
      });
      return { presets: own, allPresets: allPresetsOf(userId, clock.now()) };
    },
    start: () => load(clock.now()),
    begin: presets.start,
    advance(): void {
      presets.advance();
      targets.advance();
    },
    settled: writer.settled,
    async stop(): Promise<void> {
      targets.stop();
      presets.stop();
      stopping.abort();
      await writer.stop();
    },
  };
}

/** Counts the alerts of the hour by alert and by user: deleting an alert and setting up the same does not reset the latter. */
function createRuleHours(store: EngineDeps['store'], limitOf: (ruleId: string) => number) {
  const hours = createHours({ count: store.countByRule, limitOf, keyOf: ({ ref }) => ref ?? '' });
  const userHours = createHours({
    count: store.countOfPresetsByUser,
    limitOf: () => PRESET_ALERTS_PER_HOUR,
    keyOf: ({ userId }) => userId.toHexString(),
  });
  return {
    hours,
    userHours,
    /** Returns the counts of an alert in the hour of `at`, epoch ms. */
    countsOf(ruleId: string, at: number) {
      const { received, heldBack } = hours.of(ruleId, at);
      return { received, heldBack, dropped: hours.dropped(ruleId, at) };
    },
    /** Returns what the limit over all presets of a user left out in the hour of `at`, epoch ms. */
    allPresetsOf(userId: string, at: number): AlertHour['allPresets'] {
      const { limit, heldBack } = userHours.of(userId, at);
      return { limit, heldBack };
    },
    async load(at: number): Promise<void> {
      for (const counts of [hours, userHours]) await counts.load(at);
    },
  };
}

/** The alerts by preset of each user. `listOf`: the filter that is watched for an alert. */
function createRulesOfUsers(listOf: (id: string) => string | undefined) {
  const byUser = new Map<string, Set<string>>();
  const idsOf = (userId: string) => [...(byUser.get(userId) ?? [])];
  const listsOf = (ids: readonly string[]) => new Set(ids.flatMap((id) => listOf(id) ?? []));
  return {
    idsOf,
    has: (userId: string) => byUser.has(userId),
    /** Returns whether a user's share of filters is used up. */
    isShareUsed: (userId: string) => listsOf(idsOf(userId)).size >= FILTERS_OF_USER_MAX,
    /** Returns whether a user's alert may watch this filter beside those of the other alerts. */
    isWithinShare(userId: string, id: string, list: string): boolean {
      const others = listsOf(idsOf(userId).filter((other) => other !== id));
      return others.has(list) || others.size < FILTERS_OF_USER_MAX;
    },
    add: (userId: string, id: string): void =>
      void byUser.set(userId, (byUser.get(userId) ?? new Set<string>()).add(id)),
    remove(userId: string, id: string): void {
      const others = byUser.get(userId);
      others?.delete(id);
      if (others?.size === 0) byUser.delete(userId);
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
