import type { Api } from 'node-telegram-bot-api';
import type { BotInfo } from '../../../common/telegram/model.ts';
import { botInfoSchema } from '../../../common/telegram/model.ts';
import type { Allowance } from './chat-limit.ts';
import type { ProcessedUpdates } from './processed-updates.ts';
import { type Incoming, type Press, type PrivateMessage, readUpdate, requestedUpdates, updateIdOf } from './update.ts';

/** Time that one getUpdates waits for updates, s. */
const POLL_SECONDS = 30;
/** Updates of one getUpdates. All of them are processed before the next call acknowledges them. */
const BATCH = 50;

export interface PollDeps {
  api: Pick<Api, 'getMe' | 'deleteWebhook' | 'setMyCommands' | 'getUpdates'>;
  commands: readonly { command: string; description: string }[];
  /** Loads the updates processed by the bot with this id. */
  processedBy(botId: number): Promise<ProcessedUpdates>;
  onInfo(info: BotInfo): void;
  /** Called after every response of Telegram. */
  onContact(): void;
  /** Returns whether this chat may get a reply, as of now. */
  allowance(chatId: string): Allowance;
  /** Replies as far as `allowed`. Resolves with false when the reply did not arrive. */
  onMessage(message: PrivateMessage, info: BotInfo, allowed: Allowance): Promise<boolean>;
  /** Does the action of a button, as far as `allowed`. Resolves with false when the person does not see the outcome. */
  onPress(press: Press, allowed: Allowance): Promise<boolean>;
  /** Returns whether a message must wait for no other of its chat. */
  isUrgent(message: PrivateMessage): boolean;
  /** A person blocked or unblocked the bot. */
  onMembership(chatId: string, kind: 'blocked' | 'unblocked'): Promise<void>;
  onProcessed(): void;
  /** An update failed. It is not retried, because it would block the updates behind it. */
  onFailure(error: unknown): void;
}

/** Runs the bot: identifies itself, then polls and processes updates until it fails or `signal` aborts. */
export async function runBot(deps: PollDeps, signal: AbortSignal, connected: () => void): Promise<void> {
  const { api, onContact } = deps;
  const info = botInfoSchema.strip().parse(await api.getMe(signal));
  deps.onInfo(info);
  onContact();
  const processed = await deps.processedBy(info.id);
  // Telegram refuses polling while a webhook is set.
  await api.deleteWebhook({}, signal);
  const menu = deps.commands.map(({ command, description }) => ({ command, description }));
  await api.setMyCommands({ commands: menu }, signal);
  let isConnected = false;
  let offset: number | undefined;
  while (!signal.aborted) {
    // The first call does not wait, so that it shows at once whether polling is possible.
    const timeout = isConnected ? POLL_SECONDS : 0;
    const request = { timeout, limit: BATCH, allowed_updates: requestedUpdates };
    const updates: readonly unknown[] = await api.getUpdates(
      offset === undefined ? request : { ...request, offset },
      signal,
    );
    onContact();
    if (!isConnected) connected();
    isConnected = true;
    await processAll(updates, { deps, info, processed, signal });
    const ids = updates.map(updateIdOf).filter((id) => id !== null);
    // Updates that can't be acknowledged would be repeated at once and forever.
    if (updates.length > 0 && ids.length === 0) throw new Error('updates without ids');
    if (ids.length > 0) offset = Math.max(...ids) + 1;
  }
}

interface Context {
  deps: PollDeps;
  info: BotInfo;
  processed: ProcessedUpdates;
  signal: AbortSignal;
}

/** One update in the queue of its chat. */
interface Task {
  id: number;
  incoming: Incoming;
  allowed: Allowance;
}

/** Processes chats concurrently, so that no chat waits for another, and the updates of one chat in order, except urgent ones. */
async function processAll(updates: readonly unknown[], context: Context): Promise<void> {
  const { deps, processed } = context;
  const chats = new Map<string, Task[]>();
  for (const update of updates) {
    const read = readUpdate(update);
    if (!read || processed.has(read.id)) continue;
    const { id, incoming } = read;
    const chat = incoming.kind === 'other' ? '' : incoming.chatId;
    // Decided before any reply: a reply takes a second, in which a flooding chat would earn the next one.
    const isLimited = incoming.kind === 'message' || incoming.kind === 'press';
    const allowed = isLimited ? deps.allowance(chat) : 'allowed';
    const queue = incoming.kind === 'message' && deps.isUrgent(incoming) ? `${chat} urgent` : chat;
    const tasks = chats.get(queue);
    if (tasks) tasks.push({ id, incoming, allowed });
    else chats.set(queue, [{ id, incoming, allowed }]);
  }
  await Promise.all([...chats.values()].map((tasks) => processInOrder(tasks, context)));
}

async function processInOrder(tasks: readonly Task[], context: Context): Promise<void> {
  const { deps, processed, signal } = context;
  for (const task of tasks) {
    // The remaining updates are not acknowledged, so Telegram repeats them after the next start.
    if (signal.aborted) return;
    let isDone = true;
    try {
      isDone = await process(task, context);
    } catch (error) {
      deps.onFailure(error);
    }
    // The stop kept the reply from arriving: the next start sends it.
    if (!isDone && signal.aborted) return;
    // Stored after the reply: a process killed before it replies after the restart.
    await processed.add(task.id);
    deps.onProcessed();
  }
}

async function process({ incoming, allowed }: Task, { deps, info }: Context): Promise<boolean> {
  switch (incoming.kind) {
    case 'message':
      return deps.onMessage(incoming, info, allowed);
    case 'press':
      return deps.onPress(incoming, allowed);
    case 'blocked':
    case 'unblocked':
      await deps.onMembership(incoming.chatId, incoming.kind);
      return true;
    case 'other':
      return true;
  }
}
