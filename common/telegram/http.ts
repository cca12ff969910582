import { z } from 'zod';
import { type Call, noInput } from '../http.ts';
import {
  botStatusSchema,
  broadcastMessageSchema,
  broadcastResultSchema,
  linkCodeSchema,
  notificationStatsSchema,
  telegramLinkSchema,
} from './model.ts';

export const telegramCalls = {
  status: { ...noInput, method: 'GET', path: '/api/telegram/status', access: 'user', output: botStatusSchema },
  /** The signed-in user's linked chat. */
  link: { ...noInput, method: 'GET', path: '/api/telegram/link', access: 'user', output: telegramLinkSchema },
  /** Creates a code and invalidates the previous one. `bot-not-connected` without a bot. */
  linkCode: { ...noInput, method: 'POST', path: '/api/telegram/link', access: 'user', output: linkCodeSchema },
  unlink: { ...noInput, method: 'DELETE', path: '/api/telegram/link', access: 'user', output: telegramLinkSchema },
  notificationStats: {
    ...noInput,
    method: 'GET',
    path: '/api/telegram/notification-stats',
    access: 'admin',
    output: notificationStatsSchema,
  },
  /** Sends to every linked chat that accepts messages; responds at the end, progress is sent as the `maintenance` event. `bot-not-connected`, `already-running`. */
  broadcast: {
    ...noInput,
    method: 'POST',
    path: '/api/broadcast-message',
    access: 'admin',
    body: z.strictObject({ message: broadcastMessageSchema }),
    output: broadcastResultSchema,
  },
  /**
   * The same with the text in the path (decision 15); refused for navigations and other sites. A program sends
   * `X-Requested-With: XMLHttpRequest`.
   */
  broadcastByAddress: {
    ...noInput,
    method: 'GET',
    path: '/api/broadcast-message/{message}',
    access: 'admin',
    params: z.strictObject({ message: broadcastMessageSchema }),
    output: broadcastResultSchema,
  },
} satisfies Record<string, Call>;
