import type { Connection } from 'mongoose';
import type { Logger } from 'pino';
import type { Clock, Random } from '../../common/time.ts';
import type { FeedLog } from '../../realtime/feed-log/feed-log.ts';
import type { Publisher } from '../../realtime/publisher.ts';
import type { Telegram } from '../telegram/telegram.ts';
import type { Templates } from '../templates/service.ts';
import { createDelivery, type Delivery } from './delivery/delivery.ts';
import { createQueue } from './delivery/queue.ts';
import { type Alerts, openAlerts } from './service.ts';
import { createAlertStore } from './store.ts';
import { createAlertText } from './text.ts';

interface OpenDeps {
  connection: Connection;
  feedLog: Pick<FeedLog, 'tail'>;
  publisher: Pick<Publisher, 'send' | 'listens'>;
  templates: Pick<Templates, 'defaultOf'>;
  telegram: Pick<Telegram, 'links' | 'sender' | 'isConnected'>;
  clock: Clock;
  random: Random;
  log: Logger;
}

/** The alerts, and what takes them to Telegram. Neither has begun. */
export async function openAlerting(deps: OpenDeps): Promise<{ alerts: Alerts; delivery: Delivery }> {
  const { links, sender, isConnected } = deps.telegram;
  const queue = createQueue({ ...deps, links });
  const delivery = createDelivery({
    ...deps,
    queue,
    links,
    store: createAlertStore(deps.connection),
    sender,
    isConnected,
  });
  const outgoing = { deliveries: queue.deliveries, wake: delivery.wake };
  const alerts = await openAlerts({ ...deps, textOf: createAlertText(deps), outgoing });
  return { alerts, delivery };
}
