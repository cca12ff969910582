import type { BotInfo } from '../../../common/telegram/model.ts';
import { createKeyedMutex } from '../../platform/keyed-mutex.ts';
import { isCommand } from '../commands/command.ts';
import { resume, stop } from '../trading/stop.ts';
import type { Allowance } from './chat-limit.ts';
import { isDatabaseAway } from './dispatch.ts';
import { type Press, type PrivateMessage, readUpdate } from './update.ts';

/** Messages of one chat that wait or run; further ones are dropped without a reply. */
const CHAT_MAX = 5;
/** The same of all chats together. */
const ALL_MAX = 500;
/** Updates remembered: more than Telegram repeats, which are those of one getUpdates. */
const REMEMBERED_MAX = 500;

export interface UpdateQueueDeps {
  /** Returns whether this chat may get a reply, as of now. */
  allowance(chatId: string): Allowance;
  /** Runs the command of a message, and replies as far as `allowed`. Rejects when the database is away. Waits for no reply to arrive. */
  onMessage(message: PrivateMessage, info: BotInfo, allowed: Allowance): Promise<void>;
  /** Does the action of a button, as far as `allowed`. Rejects when the database is away. Waits for no reply to arrive. */
  onPress(press: Press, allowed: Allowance): Promise<void>;
  /** A person blocked or unblocked the bot. */
  onMembership(chatId: string, kind: 'blocked' | 'unblocked'): Promise<void>;
  /** The database is away: this stop or press will come again. Called once for each. */
  onDelayed(incoming: PrivateMessage | Press): void;
  onProcessed(): void;
  /** An update failed. It does not come again. */
  onFailure(error: unknown): void;
}

export interface UpdateQueue {
  /**
   * Takes an update in. A stop or a press resolves when its effect is stored, and rejects when the database is away: then it
   * must come again. Everything else resolves at once, is done later, and is lost by a crash.
   */
  take(update: unknown, info: BotInfo): Promise<void>;
  /** Starts nothing more. */
  stop(): void;
}

/** Creates the queue of updates. It remembers what it has done, so that a repeated update has no second effect. */
export function createUpdateQueue(deps: UpdateQueueDeps): UpdateQueue {
  const lanes = createLanes();
  const done = new Set<number>();
  const delayed = new Set<number>();
  /** Chats with a stop that has not started: it does for later ones, too. */
  const waitingStops = new Set<string>();

  function failed(error: unknown): void {
    deps.onFailure(error);
    deps.onProcessed();
  }

  /** Runs `work` after the earlier work of its lane, or drops it. */
  function later(lane: string, work: () => Promise<void>): void {
    void lanes.bounded(lane, work).then(deps.onProcessed, failed);
  }

  /** Runs the `work` of a stop or a press after the earlier work of its lane. */
  async function effect(lane: string, id: number, incoming: PrivateMessage | Press, work: () => Promise<void>) {
    try {
      await lanes.run(lane, work);
    } catch (error) {
      if (!isDatabaseAway(error)) return failed(error);
      done.delete(id);
      if (!delayed.has(id)) deps.onDelayed(incoming);
      remember(delayed, id);
      throw error;
    }
    deps.onProcessed();
  }

  async function takeMessage(id: number, message: PrivateMessage, info: BotInfo): Promise<void> {
    const { chatId, text } = message;
    // Decided before any reply: a reply takes time, in which a flooding chat would earn the next one.
    const allowed = deps.allowance(chatId);
    const work = () => deps.onMessage(message, info, allowed);
    // A stop waits for no other command, and keeps its order with /resume.
    const stops = `${chatId} stop`;
    if (isCommand(text, resume)) {
      waitingStops.delete(chatId);
      return later(stops, work);
    }
    if (!isCommand(text, stop)) return later(chatId, work);
    if (waitingStops.has(chatId)) return deps.onProcessed();
    waitingStops.add(chatId);
    return effect(stops, id, message, () => {
      waitingStops.delete(chatId);
      return work();
    });
  }

  async function takePress(id: number, press: Press): Promise<void> {
    const allowed = deps.allowance(press.chatId);
    return effect(`${press.chatId} press`, id, press, () => deps.onPress(press, allowed));
  }

  return {
    async take(update, info) {
      const read = readUpdate(update);
      if (!read || done.has(read.id)) return;
      const { id, incoming } = read;
      remember(done, id);
      switch (incoming.kind) {
        case 'message':
          return takeMessage(id, incoming, info);
        case 'press':
          return takePress(id, incoming);
        case 'blocked':
        case 'unblocked':
          return later(incoming.chatId, () => deps.onMembership(incoming.chatId, incoming.kind));
        case 'other':
          return deps.onProcessed();
      }
    },
    stop: lanes.stop,
  };
}

/** Adds an id, and forgets the oldest ones beyond the bound. */
function remember(ids: Set<number>, id: number): void {
  ids.add(id);
  // A set keeps the order of insertion.
  for (const oldest of ids) {
    if (ids.size <= REMEMBERED_MAX) break;
    ids.delete(oldest);
  }
}

/** Lanes, in each of which work runs in order. */
interface Lanes {
  run(lane: string, work: () => Promise<void>): Promise<void>;
  /** The same, without the work when the lane or all lanes are full. */
  bounded(lane: string, work: () => Promise<void>): Promise<void>;
  /** Starts nothing more: work that waits ends without being done. */
  stop(): void;
}

function createLanes(): Lanes {
  const inOrder = createKeyedMutex();
  /** Bounded work that waits or runs, by lane. */
  const counts = new Map<string, number>();
  let total = 0;
  let isStopped = false;

  const run: Lanes['run'] = (lane, work) => inOrder(lane, async () => (isStopped ? undefined : work()));
  return {
    run,
    async bounded(lane, work) {
      const before = counts.get(lane) ?? 0;
      if (before >= CHAT_MAX || total >= ALL_MAX) return;
      counts.set(lane, before + 1);
      total += 1;
      try {
        await run(lane, work);
      } finally {
        total -= 1;
        const left = (counts.get(lane) ?? 1) - 1;
        if (left === 0) counts.delete(lane);
        else counts.set(lane, left);
      }
    },
    stop() {
      isStopped = true;
    },
  };
}
