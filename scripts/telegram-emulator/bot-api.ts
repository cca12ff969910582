import { setTimeout as pause } from 'node:timers/promises';
import { answerPress, editMessage, keyboardOf, presentMessage } from './keyboard.ts';
import { type BotResponse, ok } from './response.ts';
import { addBounded, type CallParameters, type EmulatorState, type Fault } from './state.ts';

const TEXT_MAX = 4096;
/** Telegram's limit of a getUpdates timeout, seconds. */
const POLL_MAX = 50;

/** Runs one method of the Bot API, with the injected faults. `gone` aborts when the caller disconnects. */
export async function botApi(
  state: EmulatorState,
  method: string,
  params: CallParameters,
  gone: AbortSignal,
): Promise<BotResponse> {
  const early = await applyFault(nextFault(state, method));
  if (early) return early;
  switch (method) {
    case 'getMe':
      return ok(state.me);
    case 'getUpdates':
      return getUpdates(state, params, gone);
    case 'sendMessage':
      return sendMessage(state, params);
    case 'editMessageReplyMarkup':
    case 'editMessageText':
      return (await applyFault(state.chatFaults.get(Number(params.chat_id)) ?? null)) ?? editMessage(state, params);
    case 'answerCallbackQuery':
      return answerPress(state, params);
    case 'setMyCommands':
      state.commands = JSON.parse(params.commands ?? '[]');
      return ok(true);
    case 'getMyCommands':
      return ok(state.commands);
    case 'deleteWebhook':
      return ok(true);
    default:
      return { status: 404, error: 'Not Found' };
  }
}

function nextFault(state: EmulatorState, method: string): Fault | null {
  const next = state.methodFaults.find((entry) => entry.method === method || entry.method === '*');
  if (!next) return null;
  next.times -= 1;
  if (next.times <= 0) state.methodFaults = state.methodFaults.filter((entry) => entry !== next);
  return next.fault;
}

/** Applies a fault. Resolves with its response, or with null when the call continues. */
async function applyFault(fault: Fault | null): Promise<BotResponse | null> {
  switch (fault?.kind) {
    case undefined:
      return null;
    case 'blocked':
      return { status: 403, error: 'Forbidden: bot was blocked by the user' };
    case 'deactivated':
      return { status: 403, error: 'Forbidden: user is deactivated' };
    case 'bad':
      return { status: 400, error: `Bad Request: ${fault.description ?? 'chat not found'}` };
    case 'flood': {
      const error = `Too Many Requests: retry after ${fault.retryAfter}`;
      return { status: 429, error, parameters: { retry_after: fault.retryAfter } };
    }
    case 'down':
      return { status: fault.status ?? 502, html: '<html><h1>Bad Gateway</h1></html>' };
    case 'status':
      return { status: fault.status, error: fault.description };
    case 'garbage':
      return { status: 200, html: '<html>Please sign in to this network</html>' };
    case 'cut':
      return 'cut';
    case 'slow':
      await pause(fault.ms);
      return null;
    case 'held':
      await fault.until;
      return null;
  }
}

async function sendMessage(state: EmulatorState, params: CallParameters): Promise<BotResponse> {
  const chatId = Number(params.chat_id);
  const text = params.text ?? '';
  const early = await applyFault(state.chatFaults.get(chatId) ?? null);
  if (early) return early;
  if (!state.chats.has(chatId)) return { status: 400, error: 'Bad Request: chat not found' };
  if (text.trim() === '') return { status: 400, error: 'Bad Request: message text is empty' };
  if (text.length > TEXT_MAX) return { status: 400, error: 'Bad Request: message is too long' };
  const buttons = keyboardOf(params);
  if (!buttons) return { status: 400, error: 'Bad Request: BUTTON_DATA_INVALID' };
  const message = { messageId: state.nextMessage++, chatId, text, buttons, at: Date.now() };
  addBounded(state.sent, message);
  state.events.emit('sent', message);
  return ok(presentMessage(state, message));
}

/** Waits for updates as Telegram does: an offset acknowledges all earlier ones, and a second poller ends the first. */
async function getUpdates(state: EmulatorState, params: CallParameters, gone: AbortSignal): Promise<BotResponse> {
  state.endPoller?.();
  const offset = Number(params.offset ?? 0);
  if (offset > 0) state.updates = state.updates.filter((update) => update.update_id >= offset);
  const limit = Number(params.limit ?? 100);
  const until = Date.now() + Math.min(Number(params.timeout ?? 0), POLL_MAX) * 1000;
  while (state.updates.length === 0 && Date.now() < until && !gone.aborted) {
    if ((await nextUpdate(state, until - Date.now(), gone)) === 'ended') {
      const reason = 'terminated by other getUpdates request; make sure that only one bot instance is running';
      return { status: 409, error: `Conflict: ${reason}` };
    }
  }
  return gone.aborted ? 'cut' : ok(state.updates.slice(0, limit));
}

function nextUpdate(state: EmulatorState, ms: number, gone: AbortSignal): Promise<'arrived' | 'ended'> {
  return new Promise((resolve) => {
    const finish = (reason: 'arrived' | 'ended') => {
      clearTimeout(timer);
      state.events.off('update', arrived);
      gone.removeEventListener('abort', arrived);
      if (state.endPoller === ended) state.endPoller = null;
      resolve(reason);
    };
    const arrived = () => finish('arrived');
    const ended = () => finish('ended');
    const timer = setTimeout(arrived, ms);
    state.events.on('update', arrived);
    gone.addEventListener('abort', arrived);
    state.endPoller = ended;
  });
}
