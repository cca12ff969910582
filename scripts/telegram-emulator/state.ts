import { EventEmitter } from 'node:events';

/** Limit of the recorded messages and calls: far more than any test reads, for an emulator that keeps running. */
const MAX_RECORDED = 20_000;

/**
 * The fault of a call: `blocked` 403, `deactivated` 403, `bad` 400, `flood` 429 with `retry_after` (seconds), `down` 5xx
 * with an HTML page, `status` any other JSON error, `garbage` 200 with an HTML page, `cut` a connection that ends before
 * the response, `slow` a late response (ms), `held` a response that waits for a promise.
 */
export type Fault =
  | { kind: 'blocked' }
  | { kind: 'deactivated' }
  | { kind: 'bad'; description?: string }
  | { kind: 'flood'; retryAfter: number }
  | { kind: 'down'; status?: number }
  | { kind: 'status'; status: number; description: string }
  | { kind: 'garbage' }
  | { kind: 'cut' }
  | { kind: 'slow'; ms: number }
  | { kind: 'held'; until: Promise<unknown> };

/** The parameters of a call as Telegram receives them: texts, structured ones in JSON. */
export interface CallParameters {
  chat_id?: string;
  text?: string;
  offset?: string;
  limit?: string;
  /** Seconds. */
  timeout?: string;
  commands?: string;
  /** An inline keyboard. */
  reply_markup?: string;
  message_id?: string;
  callback_query_id?: string;
}

/** A button below a message. `data`: what the bot receives when a person presses it. */
export interface Button {
  text: string;
  data: string;
}

/** A message of the bot to a chat, as it stands after the bot's edits. `at`: epoch ms. */
export interface SentMessage {
  messageId: number;
  chatId: number;
  text: string;
  /** Rows of buttons; empty without any. */
  buttons: Button[][];
  at: number;
}

/** A button with its message. */
export interface PlacedButton {
  message: SentMessage;
  data: string;
}

/** What the bot showed to a person who pressed a button; null: nothing. */
export interface ShownAnswer {
  chatId: number;
  text: string | null;
}

/** A call of the bot, successful or not. `at`: epoch ms. */
export interface BotCall {
  method: string;
  params: CallParameters;
  at: number;
}

/** An update that the bot has not acknowledged. */
interface PendingUpdate {
  update_id: number;
  [kind: string]: unknown;
}

/** The state of the emulated Telegram. */
export interface EmulatorState {
  token: string;
  me: Record<string, unknown> & { id: number; username: string };
  updates: PendingUpdate[];
  nextUpdate: number;
  nextMessage: number;
  sent: SentMessage[];
  /** Presses that the bot has not answered: chats by the id of the callback query. */
  presses: Map<string, number>;
  answers: ShownAnswer[];
  calls: BotCall[];
  commands: { command: string; description: string }[];
  /** Chats to which the bot may write. */
  chats: Set<number>;
  chatFaults: Map<number, Fault>;
  methodFaults: { method: string; fault: Fault; times: number }[];
  /** Ends the waiting getUpdates call with 409. */
  endPoller: (() => void) | null;
  events: EventEmitter<{ update: []; sent: [SentMessage]; answer: [ShownAnswer] }>;
}

export function emptyState(token: string, username: string): EmulatorState {
  return {
    token,
    me: {
      id: Number(token.split(':')[0]),
      is_bot: true,
      first_name: 'Mintwatch',
      username,
      can_join_groups: true,
      can_read_all_group_messages: false,
      supports_inline_queries: false,
    },
    updates: [],
    // Higher than before a restart: the bot ignores updates whose ids it has already processed.
    nextUpdate: Date.now(),
    nextMessage: 1,
    sent: [],
    presses: new Map(),
    answers: [],
    calls: [],
    commands: [],
    chats: new Set(),
    chatFaults: new Map(),
    methodFaults: [],
    endPoller: null,
    events: new EventEmitter<{ update: []; sent: [SentMessage]; answer: [ShownAnswer] }>().setMaxListeners(0),
  };
}

/** Adds an item to a list that keeps only the newest. */
export function addBounded<Item>(list: Item[], item: Item): void {
  list.push(item);
  if (list.length > MAX_RECORDED) list.splice(0, list.length - MAX_RECORDED);
}
