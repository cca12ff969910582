import { TelegramApiError } from 'node-telegram-bot-api';

/**
 * Why a message did not arrive. `blocked`: by the person; `gone`: the chat no longer exists (both mark the chat as gone);
 * `refused`: Telegram refuses this text; `unavailable`: not now. `retryAfter`: s, if Telegram named it. `onlyThisChat`:
 * other chats accept messages meanwhile. `maybeSent`: the response was lost, so a retry may duplicate the message.
 */
export interface SendFailure {
  failed: 'blocked' | 'gone' | 'refused' | 'unavailable';
  retryAfter?: number;
  onlyThisChat?: true;
  maybeSent?: true;
}

/** Returns whether an edit failed because an earlier one had the same effect. */
export function isUnmodified(error: unknown): boolean {
  return error instanceof TelegramApiError && /message is not modified/i.test(error.description);
}

/** Returns the meaning of a failed sendMessage. */
export function failureOf(error: unknown): SendFailure {
  if (!(error instanceof TelegramApiError))
    return { failed: 'unavailable', ...(isUncertain(error) ? { maybeSent: true } : {}) };
  const { errorCode, description } = error;
  if (errorCode === 403) return { failed: /deactivated/i.test(description) ? 'gone' : 'blocked' };
  if (errorCode === 400)
    return { failed: /chat not found|chat_id is empty|upgraded/i.test(description) ? 'gone' : 'refused' };
  if (errorCode === 429) return { failed: 'unavailable', retryAfter: error.retryAfter ?? 1 };
  return { failed: 'unavailable', ...(errorCode >= 500 ? { maybeSent: true } : {}) };
}

/** Returns whether the message may have arrived without a response. It has not if no server was reached. */
function isUncertain(error: unknown): boolean {
  return !/ECONNREFUSED|ENOTFOUND|EAI_AGAIN/.test(codeBehind(error));
}

function codeBehind(error: unknown): string {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && typeof cause.code === 'string' && cause.code !== 'EFETCH') return cause.code;
  }
  return '';
}
