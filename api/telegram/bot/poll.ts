import type { Api } from 'node-telegram-bot-api';
import type { BotInfo } from '../../../common/telegram/model.ts';
import { botInfoSchema } from '../../../common/telegram/model.ts';
import type { Allowance } from './chat-limit.ts';
import type { Handled } from './processed-updates.ts';
import { askedUpdates, type Incoming, type PrivateMessage, readUpdate, updateIdOf } from './update.ts';

/** How long one getUpdates waits for something to happen, s. */
export const POLL_SECONDS = 30;
/** Updates of one getUpdates. All of them are handled before the next one acknowledges them. */
const BATCH = 50;

export interface PollDeps {
  api: Pick<Api, 'getMe' | 'deleteWebhook' | 'setMyCommands' | 'getUpdates'>;
  commands: readonly { command: string; description: string }[];
  /** What the bot with this id has handled. */
  handledBy(botId: number): Promise<Handled>;
  onInfo(info: BotInfo): void;
  /** Telegram has answered. */
  onContact(): void;
  /** Whether this chat may be answered, as of now. */
  allowance(chatId: string): Allowance;
  /** Answers as far as `allowed`; false when the answer did not arrive. */
  onMessage(message: PrivateMessage, info: BotInfo, allowed: Allowance): Promise<boolean>;
  /** A person has blocked the bot, or let it in again. */
  onMembership(chatId: string, kind: 'blocked' | 'unblocked'): Promise<void>;
  /** One more update was handled. */
  onHandled(): void;
  /** An update could not be handled. It is not tried again, or nothing behind it would get its turn. */
  onFailure(error: unknown): void;
}

/** One life of the bot: says hello, then polls and handles until it fails or `signal` aborts. */
export async function runBot(deps: PollDeps, signal: AbortSignal, connected: () => void): Promise<void> {
  const { api, onContact } = deps;
  const info = botInfoSchema.strip().parse(await api.getMe(signal));
  deps.onInfo(info);
  onContact();
  const handled = await deps.handledBy(info.id);
  // Where a webhook is set, Telegram refuses to be polled.
  await api.deleteWebhook({}, signal);
  const menu = deps.commands.map(({ command, description }) => ({ command, description }));
  await api.setMyCommands({ commands: menu }, signal);
  let isConnected = false;
  let offset: number | undefined;
  while (!signal.aborted) {
    // The first one does not wait: it says at once whether we may poll.
    const timeout = isConnected ? POLL_SECONDS : 0;
    const wanted = {
      timeout,
      limit: BATCH,
      allowed_updates: askedUpdates,
      ...(offset === undefined ? {} : { offset }),
    };
    const updates: readonly unknown[] = await api.getUpdates(wanted, signal);
    onContact();
    if (!isConnected) connected();
    isConnected = true;
    await handleAll(updates, { deps, info, handled, signal });
    const ids = updates.map(updateIdOf).filter((id) => id !== null);
    // They would come again at once, and for ever.
    if (updates.length > 0 && ids.length === 0) throw new Error('updates without ids');
    if (ids.length > 0) offset = Math.max(...ids) + 1;
  }
}

interface Handling {
  deps: PollDeps;
  info: BotInfo;
  handled: Handled;
  signal: AbortSignal;
}

/** One update in the queue of its chat. */
interface Task {
  id: number;
  incoming: Incoming;
  allowed: Allowance;
}

/** Chat by chat at the same time, so that nobody waits for a stranger; within a chat one after the other. */
async function handleAll(updates: readonly unknown[], handling: Handling): Promise<void> {
  const { deps, handled } = handling;
  const chats = new Map<string, Task[]>();
  for (const update of updates) {
    const read = readUpdate(update);
    if (!read || handled.has(read.id)) continue;
    const { id, incoming } = read;
    const chat = incoming.kind === 'other' ? '' : incoming.chatId;
    // Before any answer: they take a second each, in which a chat that floods the bot would earn the next one.
    const allowed = incoming.kind === 'message' ? deps.allowance(chat) : 'go';
    const own = chats.get(chat);
    if (own) own.push({ id, incoming, allowed });
    else chats.set(chat, [{ id, incoming, allowed }]);
  }
  await Promise.all([...chats.values()].map((own) => handleInOrder(own, handling)));
}

async function handleInOrder(tasks: readonly Task[], handling: Handling): Promise<void> {
  const { deps, handled, signal } = handling;
  for (const task of tasks) {
    // What is left comes again after the next start, since nothing has acknowledged it.
    if (signal.aborted) return;
    let isDone = true;
    try {
      isDone = await handle(task, handling);
    } catch (error) {
      deps.onFailure(error);
    }
    // It is the stop that kept the answer back: the next start gives it.
    if (!isDone && signal.aborted) return;
    // After it is done: who is killed before answers after the restart.
    await handled.add(task.id);
    deps.onHandled();
  }
}

async function handle({ incoming, allowed }: Task, { deps, info }: Handling): Promise<boolean> {
  switch (incoming.kind) {
    case 'message':
      return deps.onMessage(incoming, info, allowed);
    case 'blocked':
    case 'unblocked':
      await deps.onMembership(incoming.chatId, incoming.kind);
      return true;
    case 'other':
      return true;
  }
}
