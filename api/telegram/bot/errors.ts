import { NetworkError, ParseError, TelegramApiError, TimeoutError } from 'node-telegram-bot-api';
import { isUnavailable } from '../../platform/database.ts';

/**
 * An error of the bot. `final`: retrying can't help; `conflict`: another program polls; `transient`: may be over soon,
 * after `retryAfter` s if Telegram named a time. The text is for people and contains nothing of the original error: the
 * addresses of the Bot API contain the token.
 */
export type BotError =
  | { kind: 'final' | 'conflict'; text: string }
  | { kind: 'transient'; text: string; retryAfter?: number };

export function botErrorOf(error: unknown): BotError {
  if (error instanceof TelegramApiError) return apiErrorOf(error);
  if (error instanceof TimeoutError) return { kind: 'transient', text: 'Telegram did not answer in time.' };
  if (error instanceof ParseError) return { kind: 'transient', text: 'The server that answers is not Telegram.' };
  if (error instanceof NetworkError) return { kind: 'transient', text: 'Telegram cannot be reached.' };
  if (isUnavailable(error)) return { kind: 'transient', text: 'The database is not reachable.' };
  return { kind: 'transient', text: 'The bot failed on our side.' };
}

function apiErrorOf({ errorCode, retryAfter }: TelegramApiError): BotError {
  switch (errorCode) {
    case 401:
    case 404:
      return {
        kind: 'final',
        text: `Telegram does not know this bot token (${errorCode}). Check TELEGRAM_BOT_TOKEN and restart.`,
      };
    case 409:
      return { kind: 'conflict', text: 'Another program polls with the same bot token: run only one bot instance.' };
    case 429:
      return { kind: 'transient', text: 'Telegram asks to wait.', retryAfter: retryAfter ?? 1 };
    default:
      return { kind: 'transient', text: `Telegram answered with an error (${errorCode}).` };
  }
}
