import type { Connection, Model } from 'mongoose';
import type { NotificationStats } from '../../common/telegram/model.ts';
import { type Clock, DAY } from '../../common/time.ts';
import { cachedValue } from '../platform/cached-value.ts';
import { type BroadcastRecord, broadcastModel } from '../telegram/broadcast.ts';
import { type AlertRecord, alertModel, type DeliveryState } from './model.ts';

/** Time that the counts are cached, ms. */
export const STATS_TTL = 5_000;
const BROADCAST = 'Broadcast';

type Counts = NotificationStats[number];

/** Counts the sent, failed and queued messages of the last 24 h by template; broadcasts are last. */
export function createNotificationStats({ connection, clock }: { connection: Connection; clock: Clock }) {
  const alerts = alertModel(connection);
  const broadcasts = broadcastModel(connection);
  return cachedValue(
    async () => {
      const since = new Date(clock.now() - DAY);
      const counts = await Promise.all([countAlerts(alerts, since), countBroadcasts(broadcasts, since)]);
      return counts.flat();
    },
    { maxAge: STATS_TTL, clock },
  );
}

async function countAlerts(alerts: Model<AlertRecord>, since: Date): Promise<Counts[]> {
  // Read from the index { telegram.at, telegram.template, telegram.state } alone.
  const found = await alerts.aggregate<{ _id: { template: string; state: DeliveryState }; count: number }>([
    { $match: { 'telegram.at': { $gte: since } } },
    { $group: { _id: { template: '$telegram.template', state: '$telegram.state' }, count: { $sum: 1 } } },
  ]);
  const byTemplate = new Map<string, Counts>();
  for (const { _id, count } of found) {
    const counts = byTemplate.get(_id.template) ?? { template: _id.template, sent: 0, failed: 0, queued: 0 };
    // A message being sent has not arrived yet.
    counts[_id.state === 'sending' ? 'queued' : _id.state] += count;
    byTemplate.set(_id.template, counts);
  }
  return [...byTemplate.values()].sort((one, other) => one.template.localeCompare(other.template));
}

async function countBroadcasts(broadcasts: Model<BroadcastRecord>, since: Date): Promise<Counts[]> {
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
