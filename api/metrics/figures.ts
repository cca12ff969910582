import type { SystemStatus } from '../../common/admin/model.ts';
import { SECOND } from '../../common/time.ts';
import type { TradingStatus } from '../../common/trading/status.ts';

/** `trading`: null while it could not be read. */
interface Status {
  system: SystemStatus;
  trading: TradingStatus | null;
}

/** One value; null leaves it out, since an unknown figure is not 0. */
interface Sample {
  value: number | null;
  labels?: Readonly<Record<string, string>>;
}

/** A figure of System Status for Prometheus. */
interface Figure {
  /** Without the product's prefix, with the unit at its end. */
  name: string;
  help: string;
  labelNames?: readonly string[];
  /** `counter`: counts from the start of the process. Default: `gauge`. */
  kind?: 'gauge' | 'counter';
  read(status: Status): Sample[];
}

const one = (value: number | null): Sample[] => [{ value }];
const flag = (value: boolean | undefined): Sample[] => one(value === undefined ? null : Number(value));
const seconds = (ms: number | null | undefined): number | null => (ms == null ? null : ms / SECOND);
const unixSeconds = (at: string | null | undefined): number | null => (at == null ? null : Date.parse(at) / SECOND);
const quantiles = (p50: number | null | undefined, p99: number | null | undefined): Sample[] => [
  { value: seconds(p50), labels: { quantile: '0.5' } },
  { value: seconds(p99), labels: { quantile: '0.99' } },
];
/** Returns a sample for each source that is not off. */
const bySource = (
  { sources }: SystemStatus,
  value: (source: SystemStatus['sources'][number]) => number | null,
): Sample[] =>
  sources
    .filter(({ state }) => state !== 'off')
    .map((source) => ({ value: value(source), labels: { source: source.source } }));
/** Returns a sample for each entry; none while the values are unknown. */
const byLabel = (label: string, values: Readonly<Record<string, number>> | undefined): Sample[] =>
  Object.entries(values ?? {}).map(([name, value]) => ({ value, labels: { [label]: name } }));

export const figures: readonly Figure[] = [
  {
    name: 'info',
    help: 'Version of the server.',
    labelNames: ['version'],
    read: ({ system }) => [{ value: 1, labels: { version: system.version } }],
  },
  { name: 'feed_clients', help: 'Connected clients.', read: ({ system }) => one(system.feed.clients) },
  {
    name: 'feed_clients_stalled',
    help: 'Connected clients that read too slowly.',
    read: ({ system }) => one(system.feed.stalled),
  },
  { name: 'feed_queued_bytes', help: 'Bytes queued for clients.', read: ({ system }) => one(system.feed.queuedBytes) },
  {
    name: 'feed_clients_closed_slow_total',
    help: 'Clients that were closed since they read too slowly.',
    kind: 'counter',
    read: ({ system }) => one(system.feed.closedSlow),
  },
  {
    name: 'feed_events_per_second',
    help: 'Feed events a second, of the last 10 seconds.',
    read: ({ system }) => one(system.feed.eventsPerSecond),
  },
  {
    name: 'publish_seconds',
    help: 'From the receipt of an event to its publication, of the last minute.',
    labelNames: ['quantile'],
    read: ({ system }) => quantiles(system.feed.lagP50, system.feed.lagP99),
  },
  {
    name: 'source_up',
    help: 'Whether a source of the market is live; absent for one that is off.',
    labelNames: ['source'],
    read: ({ system }) => bySource(system, ({ state }) => Number(state === 'live')),
  },
  {
    name: 'source_events_per_minute',
    help: 'Observations of a source in the last minute.',
    labelNames: ['source'],
    read: ({ system }) => bySource(system, ({ eventsPerMinute }) => eventsPerMinute),
  },
  {
    name: 'source_errors_total',
    help: 'Failed requests and lost connections of a source.',
    labelNames: ['source'],
    kind: 'counter',
    read: ({ system }) => bySource(system, ({ errors }) => errors),
  },
  {
    name: 'source_malformed_total',
    help: 'Items of a source with an unexpected shape, which were skipped.',
    labelNames: ['source'],
    kind: 'counter',
    read: ({ system }) => bySource(system, ({ malformed }) => malformed),
  },
  {
    name: 'source_budget_left',
    help: 'Requests that the documented rate limit of a source still allows.',
    labelNames: ['source'],
    read: ({ system }) => bySource(system, ({ budget }) => budget?.left ?? null),
  },
  {
    name: 'source_allowance_left',
    help: 'Credits that are left of the plan of a source in this month.',
    labelNames: ['source'],
    read: ({ system }) => bySource(system, ({ allowance }) => allowance?.left ?? null),
  },
  {
    name: 'tokens_detected_total',
    help: 'Tokens detected, by streams and scans.',
    kind: 'counter',
    read: ({ system }) => one(system.chainScanner.found),
  },
  { name: 'mongo_up', help: 'Whether MongoDB responds.', read: ({ system }) => flag(system.mongo.up) },
  {
    name: 'mongo_ping_seconds',
    help: 'Response time of MongoDB.',
    read: ({ system }) => one(seconds(system.mongo.pingMs)),
  },
  {
    name: 'event_loop_longest_seconds',
    help: 'Longest delay of the event loop in the last minute.',
    read: ({ system }) => one(seconds(system.process.eventLoopMaxMs)),
  },
  {
    name: 'bot_connected',
    help: 'Whether the Telegram bot is connected; absent where none is configured.',
    read: ({ system }) => flag(system.bot.configured ? system.bot.connected : undefined),
  },
  { name: 'bot_queued_alerts', help: 'Alerts that wait for Telegram.', read: ({ system }) => one(system.bot.queued) },
  {
    name: 'slot_seconds',
    help: 'Length of a slot of the Solana network.',
    read: ({ system }) => one(seconds(system.network.slotMs?.value)),
  },
  {
    name: 'trading_running',
    help: 'Whether orders are accepted: 0 when trading is off, stopped or locked.',
    read: ({ trading }) => flag(trading ? trading.state === 'running' : undefined),
  },
  {
    name: 'orders_open',
    help: 'Orders that are not over, by status.',
    labelNames: ['status'],
    read: ({ trading }) => byLabel('status', trading?.orders),
  },
  {
    name: 'orders_oldest_created_timestamp_seconds',
    help: 'Creation of the oldest order that is not over.',
    read: ({ trading }) => one(unixSeconds(trading?.oldestAt)),
  },
  {
    name: 'orders_today',
    help: 'Orders of this day in UTC, by result.',
    labelNames: ['result'],
    read: ({ trading }) =>
      byLabel('result', trading ? { confirmed: trading.today.confirmed, failed: trading.today.failed } : undefined),
  },
  {
    name: 'orders_failed_today',
    help: 'Failed orders of this day in UTC, by reason.',
    labelNames: ['reason'],
    read: ({ trading }) => byLabel('reason', trading?.today.failures),
  },
  {
    name: 'order_sent_seconds',
    help: 'From the creation of an order until it was sent, of the last 200 orders.',
    labelNames: ['quantile'],
    read: ({ trading }) => quantiles(trading?.decisionMs.p50, trading?.decisionMs.p99),
  },
  {
    name: 'order_verdict_seconds',
    help: 'From the sending of an order until its verdict, of the last 200 orders.',
    labelNames: ['quantile'],
    read: ({ trading }) => quantiles(trading?.confirmationMs.p50, trading?.confirmationMs.p99),
  },
  {
    name: 'plans_deciding',
    help: 'Whether this process decides for rules and strategies.',
    read: ({ trading }) => flag(trading?.engine?.isDeciding),
  },
  {
    name: 'plans_active',
    help: 'Active rules and strategies.',
    labelNames: ['kind'],
    read: ({ trading }) =>
      byLabel(
        'kind',
        trading?.engine ? { rules: trading.engine.rules, strategies: trading.engine.strategies } : undefined,
      ),
  },
  {
    name: 'plans_evaluated_per_second',
    help: 'Prices and facts judged for plans, of the last 10 seconds.',
    read: ({ trading }) => one(trading?.engine?.evaluatedPerSecond ?? null),
  },
  {
    name: 'plans_stored_seconds',
    help: 'From the figures of a decision until its order was stored, of the last 200 orders.',
    labelNames: ['quantile'],
    read: ({ trading }) => quantiles(trading?.engine?.lagMs.p50, trading?.engine?.lagMs.p99),
  },
  { name: 'tape_bytes', help: 'Size of the recorded hours.', read: ({ trading }) => one(trading?.tape?.bytes ?? null) },
];
