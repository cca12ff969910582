import type { Connection } from 'mongoose';
import type { NotificationStats } from '../../../common/telegram/model.ts';
import type { Clock } from '../../../common/time.ts';
import { broadcastModel } from '../../telegram/broadcast/model.ts';
import { alertModel, type DeliveryState } from '../model.ts';

const DAY = 86_400_000;
/** The counts are made anew after this, ms. */
export const STATS_FOR = 5_000;
const BROADCAST = 'Broadcast';

type Counts = NotificationStats[number];

/** What became of the messages of the last 24 h, by template; broadcasts come last. */
export function createNotificationStats({ connection, clock }: { connection: Connection; clock: Clock }) {
  const alerts = alertModel(connection);
  const broadcasts = broadcastModel(connection);
  /** `at` null: they are being made. */
  let made: { at: number | null; stats: Promise<NotificationStats> } | undefined;

  async function ofAlerts(since: Date): Promise<Counts[]> {
    // Index: telegram.at, telegram.template, telegram.state; answered from it alone.
    const found = await alerts.aggregate<{ _id: { template: string; state: DeliveryState }; count: number }>([
      { $match: { 'telegram.at': { $gte: since } } },
      { $group: { _id: { template: '$telegram.template', state: '$telegram.state' }, count: { $sum: 1 } } },
    ]);
    const byTemplate = new Map<string, Counts>();
    for (const { _id, count } of found) {
      const counts = byTemplate.get(_id.template) ?? { template: _id.template, sent: 0, failed: 0, queued: 0 };
      counts[countedAs(_id.state)] += count;
      byTemplate.set(_id.template, counts);
    }
    return [...byTemplate.values()].sort((one, other) => one.template.localeCompare(other.template));
  }

  async function ofBroadcasts(since: Date): Promise<Counts[]> {
    // Index: at.
    const [sums] = await broadcasts.aggregate<Omit<Counts, 'template'>>([
      { $match: { at: { $gte: since } } },
      {
        $group: {
          _id: null,
          sent: { $sum: '$sent' },
          failed: { $sum: '$failed' },
          queued: { $sum: { $subtract: ['$total', { $add: ['$sent', '$failed'] }] } },
        },
      },
      { $project: { _id: 0 } },
    ]);
    return sums ? [{ template: BROADCAST, ...sums }] : [];
  }

  async function make(): Promise<NotificationStats> {
    const since = new Date(clock.now() - DAY);
    const both = await Promise.all([ofAlerts(since), ofBroadcasts(since)]);
    return both.flat();
  }

  return {
    read(): Promise<NotificationStats> {
      if (made && (made.at === null || clock.now() - made.at < STATS_FOR)) return made.stats;
      const making: typeof made = { at: null, stats: make() };
      made = making;
      making.stats.then(
        () => (making.at = clock.now()),
        // The next one who asks tries again.
        () => (made = undefined),
      );
      return making.stats;
    },
  };
}

/** What is on its way has not arrived yet. */
function countedAs(state: DeliveryState): 'sent' | 'failed' | 'queued' {
  return state === 'sending' ? 'queued' : state;
}
