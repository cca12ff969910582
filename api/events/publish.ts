import { rooms } from '../../common/live/rooms.ts';
import type { UserData } from '../../common/live/user-data.ts';
import type { Publisher } from '../../realtime/publisher.ts';
import type { EventSource } from './bus.ts';

/**
 * Forwards domain events to the clients they concern: the only place of the server, besides the token feed
 * (`market/publish`), that knows which live event and which room a change leads to. Returns the function that stops it.
 */
export function publishDomainEvents(bus: EventSource, publisher: Pick<Publisher, 'send'>): () => void {
  const userData = (userId: string, change: UserData) => publisher.send(rooms.user(userId), 'user-data', change);
  const subscriptions = [
    bus.on('settings-changed', ({ userId, settings }) =>
      userData(userId, { subject: 'settings', op: 'saved', item: settings }),
    ),
    bus.on('wallet-changed', ({ userId, wallet }) =>
      userData(userId, { subject: 'wallet', op: 'saved', item: wallet }),
    ),
    bus.on('telegram-link-changed', ({ userId, link }) =>
      userData(userId, { subject: 'telegram', op: 'saved', item: link }),
    ),
    bus.on('watchlist-changed', ({ userId, change }) => userData(userId, change)),
    bus.on('plan-changed', ({ userId, change }) => userData(userId, change)),
    bus.on('transaction-changed', ({ userId, transaction }) =>
      publisher.send(rooms.user(userId), 'transaction', transaction),
    ),
    bus.on('alert-created', ({ userId, alert }) => publisher.send(rooms.user(userId), 'alert', alert)),
    bus.on('run-changed', (run) => publisher.send(rooms.admin, 'maintenance', run)),
    bus.on('bot-status-changed', ({ audience, status }) =>
      publisher.send(audience === 'admins' ? rooms.admin : rooms.tokens, 'bot-status', status),
    ),
    bus.on('admin-stats-changed', (stats) => publisher.send(rooms.admin, 'admin-stats', stats)),
    bus.on('system-status-changed', (status) => publisher.send(rooms.admin, 'system-status', status)),
    bus.on('detection-stats-changed', (stats) => publisher.send(rooms.diagnostics, 'detection-stats', stats)),
  ];
  return () => {
    for (const end of subscriptions) end();
  };
}
