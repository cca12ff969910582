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
  status: {
    ...noInput,
    summary: 'The state of the bot; its details for administrators only.',
    method: 'GET',
    path: '/api/telegram/status',
    access: 'user',
    output: botStatusSchema,
  },
  link: {
    ...noInput,
    summary: "The signed-in user's linked chat.",
    method: 'GET',
    path: '/api/telegram/link',
    access: 'user',
    output: telegramLinkSchema,
  },
  linkCode: {
    ...noInput,
    summary: 'Creates a code and invalidates the previous one. `bot-not-connected` without a bot.',
    errors: ['bot-not-connected'],
    method: 'POST',
    path: '/api/telegram/link',
    access: 'user',
    output: linkCodeSchema,
  },
  unlink: {
    ...noInput,
    summary: 'Unlinks the chat.',
    method: 'DELETE',
    path: '/api/telegram/link',
    access: 'user',
    output: telegramLinkSchema,
  },
  notificationStats: {
    ...noInput,
    summary: 'Sent, failed and queued messages by template over the last 24 h.',
    method: 'GET',
    path: '/api/telegram/notification-stats',
    access: 'admin',
    output: notificationStatsSchema,
  },
  broadcast: {
    ...noInput,
    summary:
      'Sends to every linked chat that accepts messages; responds at the end, progress is sent as the `maintenance` event. `bot-not-connected`, `already-running`.',
    errors: ['bot-not-connected', 'already-running'],
    method: 'POST',
    path: '/api/broadcast-message',
    access: 'admin',
    confirm: 'always',
    body: z.strictObject({ message: broadcastMessageSchema }),
    output: broadcastResultSchema,
  },
  broadcastByAddress: {
    ...noInput,
    summary:
      'The same with the text in the path; refused for navigations and other sites. A program sends `X-Requested-With: XMLHttpRequest`.',
    errors: ['bot-not-connected', 'already-running', 'foreign-origin'],
    method: 'GET',
    path: '/api/broadcast-message/{message}',
    access: 'admin',
    confirm: 'always',
    params: z.strictObject({ message: broadcastMessageSchema }),
    output: broadcastResultSchema,
  },
} satisfies Record<string, Call>;
