import PQueue from 'p-queue';
import type { BotCommand, BotInfo, BotStatus } from '../../../common/telegram/model.ts';
import { isoOrNull } from '../../../common/time.ts';
import type { EventSink } from '../../events/bus.ts';
import { withoutSecrets } from '../links.ts';
import type { BotState } from './bot.ts';
import type { PrivateMessage } from './update.ts';

const RECENT = 20;
/** Longest text of a message shown to administrators. */
const RECENT_TEXT = 200;
/** Line breaks, invisible characters, and characters that change the direction of writing. */
const NOT_IN_A_LINE = /[\s\p{C}\p{Z}]+/gu;
/** Shortest interval between two `bot-status-changed` events, ms. */
const STATUS_INTERVAL = 1_000;

type RecentMessage = { from: string; text: string; date: string };
type Details = Extract<BotStatus, { updates: number }>;

/** Facts about the bot since the start of this process. */
export interface BotFacts {
  info: BotInfo | null;
  updates: number;
  /** Newest first. */
  recent: RecentMessage[];
  /** Epoch ms. */
  lastContactAt: number | null;
}

export function noFacts(): BotFacts {
  return { info: null, updates: 0, recent: [], lastContactAt: null };
}

/** Adds a message to the recent ones, without secrets in it. */
export function addRecent(facts: BotFacts, { username, firstName, text, at }: PrivateMessage): void {
  // An @ marks the username, which is unique; a first name must not imitate it.
  const from = username === null ? oneLine(firstName).replace(/^@+/, '') || 'Unknown' : `@${username}`;
  const message = { from, text: shortened(withoutSecrets(oneLine(text))), date: new Date(at).toISOString() };
  facts.recent = [message, ...facts.recent].slice(0, RECENT);
}

function oneLine(text: string): string {
  return text.replace(NOT_IN_A_LINE, ' ').trim();
}

function shortened(text: string): string {
  if (text.length <= RECENT_TEXT) return text;
  // Does not leave half of a character of two units.
  return `${text.slice(0, RECENT_TEXT - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

export interface StatusInput {
  configured: boolean;
  facts: BotFacts;
  bot: BotState;
  /** Used until Telegram has reported it. */
  username: string | null;
  commands: readonly BotCommand[];
  apiHost: string;
  activeUserCount: number;
}

/** Returns the status with its details, for administrators. */
export function presentStatus(input: StatusInput): Details {
  const { configured, facts, bot, commands, apiHost, activeUserCount } = input;
  const { info } = facts;
  return {
    configured,
    connected: bot.state === 'connected',
    botUsername: info?.username ?? input.username,
    botName: info?.first_name ?? null,
    commands: commands.map(({ command, description }) => ({ command, description })),
    botInfo: info,
    activeUserCount,
    updates: facts.updates,
    recentMessages: facts.recent,
    error: 'error' in bot ? (bot.error?.text ?? null) : null,
    lastContactAt: isoOrNull(facts.lastContactAt),
    retryAt: isoOrNull(bot.state === 'waiting' ? bot.retryAt : null),
    apiHost,
  };
}

/** Returns the status for everyone else. */
export function withoutDetails({ configured, connected, botUsername, botName, commands }: BotStatus): BotStatus {
  return {
    ...{ configured, connected, botUsername, botName, commands },
    ...{ botInfo: null, activeUserCount: null, updates: null, recentMessages: null },
    ...{ error: null, lastContactAt: null, retryAt: null, apiHost: null },
  };
}

/**
 * Creates what emits the status when it has changed, at most once a second: without details for everybody, with them for
 * administrators.
 */
export function createStatusPublisher({ read, bus }: { read(): Promise<Details>; bus: EventSink }) {
  // One read at a time: of two the older one might end last.
  const reads = new PQueue({ concurrency: 1, interval: STATUS_INTERVAL, intervalCap: 1, strict: true });
  let emitted = { everybody: '', admins: '' };
  let isStopped = false;

  async function emit(): Promise<void> {
    // The count of chats needs the database; while it is unavailable nothing is emitted.
    const status = await read().catch(() => null);
    if (!status || isStopped) return;
    const before = emitted;
    emitted = { everybody: JSON.stringify(withoutDetails(status)), admins: JSON.stringify(status) };
    if (emitted.everybody !== before.everybody)
      bus.emit('bot-status-changed', { audience: 'everybody', status: withoutDetails(status) });
    // Last, because administrators receive both.
    if (emitted.admins !== before.admins) bus.emit('bot-status-changed', { audience: 'admins', status });
  }

  return {
    /** Reports that the status may have changed. A read that waits covers later changes, too. */
    changed(): void {
      if (!isStopped && reads.size === 0) void reads.add(emit);
    },
    stop(): void {
      isStopped = true;
      reads.clear();
    },
  };
}
