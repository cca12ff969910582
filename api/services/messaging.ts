import { createNotificationStats } from '../alerts/notification-stats.ts';
import { alertRoutes } from '../alerts/routes.ts';
import { alertRuleRoutes } from '../alerts/rules/routes.ts';
import { openAlerts } from '../alerts/service.ts';
import type { Part } from '../platform/lifecycle.ts';
import { openBroadcasts } from '../telegram/broadcast.ts';
import { createBalances } from '../telegram/commands/account.ts';
import { createConfirms } from '../telegram/confirms.ts';
import { openTelegramLinks } from '../telegram/links.ts';
import { broadcastRoutes, telegramRoutes } from '../telegram/routes.ts';
import { createTelegram } from '../telegram/telegram.ts';
import { templateRoutes } from '../templates/routes.ts';
import { openTemplates } from '../templates/service.ts';
import { webhookRoutes } from '../webhook/routes.ts';
import { openWebhooks } from '../webhook/service.ts';
import type { Accounts } from './accounts.ts';
import type { Core, Routes } from './core.ts';
import type { MarketServices } from './market.ts';
import type { TradingServices } from './trading.ts';
import type { UserData } from './user-data.ts';

export type Messaging = Awaited<ReturnType<typeof openMessaging>>;

/** Opens the Telegram bot, the alerts and their delivery, templates and broadcasts. */
export async function openMessaging(deps: Core & Accounts & MarketServices & UserData & TradingServices) {
  const { connection, config, users, audit, bus, clock, random, log, limits } = deps;
  const telegramLinks = await openTelegramLinks({ connection, users, audit, bus, clock, limits });
  const telegram = createTelegram({ config, links: telegramLinks, users, bus, clock, random, log });
  const templates = await openTemplates(deps);
  const webhooks = await openWebhooks(deps);
  const { alerts, rules, trades, delivery, webhookDelivery } = await openAlerts({
    ...{ ...deps, templates, telegram, webhooks },
  });
  const broadcasts = await openBroadcasts({ ...deps, telegram });
  const notificationStats = createNotificationStats({ connection, clock });
  const confirms = createConfirms(deps);
  const balances = createBalances(deps.chain, random);
  const routes: Routes[] = [
    (router) => templateRoutes(router, { templates, queries: deps.queries }),
    (router) => telegramRoutes(router, { telegram }),
    (router) => broadcastRoutes(router, { broadcasts, notificationStats, forwarding: deps.forwarding }),
    (router) => alertRoutes(router, { alerts, rules }),
    (router) => alertRuleRoutes(router, { rules }),
    (router) => webhookRoutes(router, { webhooks }),
  ];
  const parts: Part[] = [
    {
      name: 'Telegram bot',
      stage: 'doors',
      async start() {
        await delivery.start();
        telegram.start({ ...deps, balance: balances.of, trading: deps.botTrading, confirms });
      },
      async stop() {
        balances.stop();
        // The bot first: its end aborts the messages being sent, which the delivery waits for.
        try {
          await telegram.stop();
        } finally {
          await delivery.stop();
        }
      },
    },
    { name: 'alerts', stage: 'listeners', start: () => alerts.start(), stop: () => alerts.stop() },
    { name: 'alerts of users', stage: 'listeners', start: () => rules.start(), stop: () => rules.stop() },
    { name: 'webhooks', stage: 'doors', start: webhookDelivery.start, stop: webhookDelivery.stop },
    { name: 'alerts about trades', stage: 'listeners', start: () => trades.start(), stop: () => trades.stop() },
  ];
  return { telegramLinks, telegram, alerts, routes, parts };
}
