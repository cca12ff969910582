import type { UserData } from '../../common/live/user-data.ts';
import type { Publisher } from '../../realtime/publisher.ts';
import type { EventSource } from './bus.ts';

/**
 * Forwards domain events to the clients they concern: the only place of the server, besides the token feed
 * (`market/publish`), that knows which live event and which room a change leads to. Returns the function that stops it.
 */
export function publishDomainEvents(bus: EventSource, publisher: Pick<Publisher, 'send'>): () => void {
  const userData = (userId: string, change: UserData) => publisher.send('user-data', { userId }, change);
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
    bus.on('preset-changed', ({ userId, change }) => userData(userId, change)),
    bus.on('alert-rule-changed', ({ userId, id }) =>
      userData(userId, { subject: 'alert-rules', op: 'saved', item: { id } }),
    ),
    bus.on('webhook-changed', ({ userId, webhook }) =>
      userData(userId, { subject: 'webhook', op: 'saved', item: webhook }),
    ),
    bus.on('plan-changed', ({ userId, change }) => userData(userId, change)),
    bus.on('transaction-changed', ({ userId, transaction }) => publisher.send('transaction', { userId }, transaction)),
    bus.on('order-changed', ({ userId, order }) => publisher.send('order', { userId }, order)),
    bus.on('position-changed', ({ userId, position }) => publisher.send('position', { userId }, position)),
    bus.on('position-values-changed', ({ userId, values }) =>
      publisher.send('position-values', { userId }, { values }),
    ),
    bus.on('trading-account-changed', ({ userId, account }) => publisher.send('trading-account', { userId }, account)),
    bus.on('decision-made', ({ userId, decision }) => publisher.send('decision', { userId }, decision)),
    bus.on('stop-report-changed', ({ userId, report }) => publisher.send('stop-report', { userId }, report)),
    bus.on('trading-status-changed', (status) => publisher.send('trading-status', 'admin', status)),
    bus.on('alert-created', ({ userId, alert }) => publisher.send('alert', { userId }, alert)),
    bus.on('run-changed', (run) => publisher.send('maintenance', 'admin', run)),
    bus.on('bot-status-changed', ({ audience, status }) =>
      publisher.send('bot-status', audience === 'admins' ? 'admin' : 'tokens', status),
    ),
    bus.on('admin-stats-changed', (stats) => publisher.send('admin-stats', 'admin', stats)),
    bus.on('system-status-changed', (status) => publisher.send('system-status', 'admin', status)),
    bus.on('detection-stats-changed', (stats) => publisher.send('detection-stats', 'diagnostics', stats)),
  ];
  return () => {
    for (const end of subscriptions) end();
  };
}
