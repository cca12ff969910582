import { Api, longPoll, type TransportOptions } from 'node-telegram-bot-api';
import type { BotInfo } from '../../../common/telegram/model.ts';
import { botInfoSchema } from '../../../common/telegram/model.ts';
import { requestedUpdates, updateIdOf } from './update.ts';

/** Time that one getUpdates waits for updates, s. */
const POLL_SECONDS = 30;
/** Updates of one getUpdates: the most that Telegram gives. */
const BATCH = 100;

export interface PollDeps {
  token: string;
  options: TransportOptions;
  commands: readonly { command: string; description: string }[];
  onInfo(info: BotInfo): void;
  /** Called after every response of Telegram. */
  onContact(): void;
  /** Takes an update in. Resolves when it may be acknowledged; rejects when it must come again. */
  take(update: unknown, info: BotInfo): Promise<void>;
}

/** The Bot API whose getUpdates, which acknowledges the updates before it, waits until they may be acknowledged. */
class PollingApi extends Api {
  #taken: Promise<void>[] = [];
  readonly #onContact: () => void;

  constructor({ token, options, onContact }: PollDeps) {
    super(token, options);
    this.#onContact = onContact;
  }

  /** Holds the next getUpdates until this update may be acknowledged. */
  hold(taken: Promise<void>): void {
    this.#taken.push(taken);
    // Thrown by the next getUpdates.
    taken.catch(() => {});
  }

  /** Resolves when no update is being taken in. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#taken);
  }

  override async getUpdates(...call: Parameters<Api['getUpdates']>): ReturnType<Api['getUpdates']> {
    await Promise.all(this.#taken);
    this.#taken = [];
    const updates = await super.getUpdates(...call);
    this.#onContact();
    return updates;
  }
}

/**
 * Runs the bot: identifies itself, then polls and takes updates in until it fails or `signal` aborts. It rejects with the
 * first error; then Telegram repeats the updates that were not acknowledged.
 */
export async function runBot(deps: PollDeps, signal: AbortSignal, connected: () => void): Promise<void> {
  const api = new PollingApi(deps);
  const info = botInfoSchema.strip().parse(await api.getMe(signal));
  deps.onInfo(info);
  deps.onContact();
  // Telegram refuses polling while a webhook is set.
  await api.deleteWebhook({}, signal);
  const menu = deps.commands.map(({ command, description }) => ({ command, description }));
  await api.setMyCommands({ commands: menu }, signal);
  // Does not wait and acknowledges nothing: it shows at once whether polling is possible.
  await api.getUpdates({ timeout: 0, limit: 1, allowed_updates: requestedUpdates }, signal);
  connected();
  const options = { timeout: POLL_SECONDS, limit: BATCH, allowedUpdates: requestedUpdates, retry: false };
  try {
    for await (const update of longPoll(api, options, signal)) {
      if (signal.aborted) break;
      // An update that can't be acknowledged would be repeated at once and forever.
      if (updateIdOf(update) === null) throw new Error('update without an id');
      api.hold(deps.take(update, info));
    }
  } finally {
    // The next run must not take in what this one is still taking in.
    await api.settled();
  }
}
