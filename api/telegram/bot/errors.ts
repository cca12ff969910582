import { NetworkError, ParseError, TelegramApiError, TimeoutError } from 'node-telegram-bot-api';
import { isUnavailable } from '../../platform/database.ts';

/**
 * What is wrong with the bot. `final`: trying again can't help; `conflict`: somebody else is polling; `passing`: may be
 * over soon, after `retryAfter` s where Telegram said so. The text is for people and holds nothing of what failed: the
 * addresses of the Bot API contain the token.
 */
export type Problem =
  | { kind: 'final' | 'conflict'; text: string }
  | { kind: 'passing'; text: string; retryAfter?: number };

export function problemOf(error: unknown): Problem {
  if (error instanceof TelegramApiError) return answered(error);
  if (error instanceof TimeoutError) return { kind: 'passing', text: 'Telegram did not answer in time.' };
  if (error instanceof ParseError) return { kind: 'passing', text: 'What answers for Telegram is not Telegram.' };
  if (error instanceof NetworkError) return { kind: 'passing', text: 'Telegram cannot be reached.' };
  if (isUnavailable(error)) return { kind: 'passing', text: 'The database is not reachable.' };
  return { kind: 'passing', text: 'The bot has failed on our side.' };
}

function answered({ errorCode, retryAfter }: TelegramApiError): Problem {
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
      return { kind: 'passing', text: 'Telegram asks to wait.', retryAfter: retryAfter ?? 1 };
    default:
      return { kind: 'passing', text: `Telegram answered with an error (${errorCode}).` };
  }
}
