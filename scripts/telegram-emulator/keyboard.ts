import { z } from 'zod';
import { type BotResponse, ok } from './response.ts';
import { addBounded, type Button, type CallParameters, type EmulatorState, type SentMessage } from './state.ts';

/** Limit of Telegram: bytes of a button's data. */
const DATA_MAX = 64;

const buttonSchema = z.object({
  text: z.string().min(1),
  callback_data: z.string().refine((data) => data !== '' && Buffer.byteLength(data) <= DATA_MAX),
});
const keyboardSchema = z.object({ inline_keyboard: z.array(z.array(buttonSchema)) });

/** Returns the buttons of a call; null when Telegram would refuse them. */
export function keyboardOf({ reply_markup: markup }: CallParameters): Button[][] | null {
  if (markup === undefined) return [];
  const { success, data } = keyboardSchema.safeParse(JSON.parse(markup));
  if (!success) return null;
  return data.inline_keyboard.map((row) => row.map(({ text, callback_data }) => ({ text, data: callback_data })));
}

/** Returns a message as the Bot API describes it. */
export function presentMessage(state: EmulatorState, { messageId, chatId, text, buttons, at }: SentMessage) {
  const rows = buttons.map((row) => row.map(({ text: label, data }) => ({ text: label, callback_data: data })));
  return {
    message_id: messageId,
    from: state.me,
    chat: { id: chatId, type: 'private' },
    date: Math.floor(at / 1000),
    text,
    ...(rows.length === 0 ? {} : { reply_markup: { inline_keyboard: rows } }),
  };
}

/** Replaces text and buttons of a sent message; without buttons in the call, they are removed. */
export function editMessage(state: EmulatorState, params: CallParameters): BotResponse {
  const message = state.sent.find(
    ({ chatId, messageId }) => chatId === Number(params.chat_id) && messageId === Number(params.message_id),
  );
  if (!message) return { status: 400, error: 'Bad Request: message to edit not found' };
  const buttons = keyboardOf(params);
  if (!buttons) return { status: 400, error: 'Bad Request: BUTTON_DATA_INVALID' };
  const text = params.text ?? message.text;
  if (text === message.text && JSON.stringify(buttons) === JSON.stringify(message.buttons)) {
    return { status: 400, error: 'Bad Request: message is not modified' };
  }
  message.text = text;
  message.buttons = buttons;
  return ok(presentMessage(state, message));
}

/** Ends the progress indicator of a pressed button. A press is answered once. */
export function answerPress(state: EmulatorState, params: CallParameters): BotResponse {
  const id = params.callback_query_id ?? '';
  const chatId = state.presses.get(id);
  if (chatId === undefined) {
    const error = 'query is too old and response timeout expired or query ID is invalid';
    return { status: 400, error: `Bad Request: ${error}` };
  }
  state.presses.delete(id);
  const answer = { chatId, text: params.text ?? null };
  addBounded(state.answers, answer);
  state.events.emit('answer', answer);
  return ok(true);
}
