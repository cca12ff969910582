import { EventEmitter } from 'node:events';

/** Messages and calls that are kept: far more than any test looks at, and an end for who leaves it running. */
const KEPT = 20_000;

/**
 * How a call may end: `blocked` 403, `deactivated` 403, `bad` 400, `flood` 429 with `retry_after` (seconds), `down` 5xx with
 * an HTML page, `status` any other JSON error, `cut` a connection that ends before the answer, `slow` a late answer (ms).
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
  | { kind: 'slow'; ms: number };

/** What a call says, as Telegram gets it: texts, of which structured ones are JSON. */
export interface CallParameters {
  chat_id?: string;
  text?: string;
  offset?: string;
  limit?: string;
  /** s. */
  timeout?: string;
  commands?: string;
}

/** What the bot has sent to a chat. `at`: epoch ms. */
export interface SentMessage {
  chatId: number;
  text: string;
  at: number;
}

/** A call that the bot made, whatever came of it. `at`: epoch ms. */
export interface BotCall {
  method: string;
  params: CallParameters;
  at: number;
}

/** One update that waits to be acknowledged. */
export interface PendingUpdate {
  update_id: number;
  [kind: string]: unknown;
}

/** All that the emulated Telegram knows. */
export interface EmulatorState {
  token: string;
  me: Record<string, unknown> & { id: number; username: string };
  updates: PendingUpdate[];
  nextUpdate: number;
  nextMessage: number;
  sent: SentMessage[];
  calls: BotCall[];
  commands: { command: string; description: string }[];
  /** Chats that the bot may write to. */
  chats: Set<number>;
  chatFaults: Map<number, Fault>;
  methodFaults: { method: string; fault: Fault; times: number }[];
  /** Ends the getUpdates call that waits, with 409. */
  endPoller: (() => void) | null;
  /** `update` and `sent`. */
  events: EventEmitter<{ update: []; sent: [SentMessage] }>;
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
    // Higher than before a restart: the bot takes what has an id that it knows for a repetition.
    nextUpdate: Date.now(),
    nextMessage: 1,
    sent: [],
    calls: [],
    commands: [],
    chats: new Set(),
    chatFaults: new Map(),
    methodFaults: [],
    endPoller: null,
    events: new EventEmitter<{ update: []; sent: [SentMessage] }>().setMaxListeners(0),
  };
}

/** Keeps the newest only. */
export function keep<Item>(list: Item[], item: Item): void {
  list.push(item);
  if (list.length > KEPT) list.splice(0, list.length - KEPT);
}
