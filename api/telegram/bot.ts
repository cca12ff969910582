import type { Api } from 'node-telegram-bot-api';
import type { BotInfo } from '../../common/telegram/model.ts';
import { botInfoSchema } from '../../common/telegram/model.ts';
import type { Handled } from './handled.ts';
import { askedUpdates, type PrivateMessage, readUpdate, updateIdOf } from './update.ts';

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
  /** Answers; false when the answer did not arrive. */
  onMessage(message: PrivateMessage, info: BotInfo): Promise<boolean>;
  /** A person has blocked the bot, or let it in again. */
  onMembership(chatId: string, kind: 'blocked' | 'unblocked'): Promise<void>;
  /** One more update was handled. */
  onHandled(): void;
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
    if (ids.length > 0) offset = Math.max(...ids) + 1;
  }
}

interface Handling {
  deps: PollDeps;
  info: BotInfo;
  handled: Handled;
  signal: AbortSignal;
}

/** Chat by chat at the same time, so that nobody waits for a stranger; within a chat one after the other. */
async function handleAll(updates: readonly unknown[], handling: Handling): Promise<void> {
  const chats = new Map<string, unknown[]>();
  for (const update of updates) {
    const incoming = readUpdate(update)?.incoming;
    const chat = incoming && incoming.kind !== 'other' ? incoming.chatId : '';
    chats.set(chat, [...(chats.get(chat) ?? []), update]);
  }
  await Promise.all([...chats.values()].map((own) => handleInOrder(own, handling)));
}

async function handleInOrder(updates: readonly unknown[], { deps, info, handled, signal }: Handling): Promise<void> {
  for (const update of updates) {
    // What is left comes again after the next start, since nothing has acknowledged it.
    if (signal.aborted) return;
    const read = readUpdate(update);
    if (!read || handled.has(read.id)) continue;
    const { incoming } = read;
    if (incoming.kind === 'message') {
      const arrived = await deps.onMessage(incoming, info);
      // It is the stop that kept the answer back: the next start gives it.
      if (!arrived && signal.aborted) return;
    } else if (incoming.kind !== 'other') await deps.onMembership(incoming.chatId, incoming.kind);
    // After it is done: who is killed before answers after the restart.
    await handled.add(read.id);
    deps.onHandled();
  }
}
