import type { BotCommand, BotInfo, BotStatus } from '../../../common/telegram/model.ts';
import { type Clock, isoOrNull } from '../../../common/time.ts';
import type { Publisher } from '../../../realtime/publisher.ts';
import { withoutSecrets } from '../links/link-code.ts';
import type { SupervisorState } from './supervisor.ts';
import type { PrivateMessage } from './update.ts';

const RECENT = 20;
/** Longer messages are cut in what administrators see. */
const RECENT_TEXT = 200;
/** Line breaks, and what is not seen or changes the direction of writing. */
const NOT_IN_A_LINE = /[\s\p{C}\p{Z}]+/gu;
/** At most one `bot-status` event in this time, ms. */
export const STATUS_PAUSE = 1_000;

type RecentMessage = { from: string; text: string; date: string };
type Details = Extract<BotStatus, { updates: number }>;

/** What the bot has been through since the start of this process. */
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

/** Puts a message first, without what nobody else should read. */
export function remember(facts: BotFacts, { username, firstName, text, at }: PrivateMessage): void {
  // An @ means the username, which nobody can choose freely.
  const from = username === null ? oneLine(firstName).replace(/^@+/, '') || 'Somebody' : `@${username}`;
  const message = { from, text: shortened(withoutSecrets(oneLine(text))), date: new Date(at).toISOString() };
  facts.recent = [message, ...facts.recent].slice(0, RECENT);
}

function oneLine(text: string): string {
  return text.replace(NOT_IN_A_LINE, ' ').trim();
}

function shortened(text: string): string {
  if (text.length <= RECENT_TEXT) return text;
  // Half of a character that takes two units is none.
  return `${text.slice(0, RECENT_TEXT - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

export interface StatusInput {
  configured: boolean;
  facts: BotFacts;
  supervisor: SupervisorState;
  /** Used until Telegram has said it. */
  username: string | null;
  commands: readonly BotCommand[];
  apiHost: string;
  activeUserCount: number;
}

/** The status with everything in it: for administrators. */
export function presentStatus(input: StatusInput): Details {
  const { configured, facts, supervisor, commands, apiHost, activeUserCount } = input;
  const { info } = facts;
  return {
    configured,
    connected: supervisor.state === 'connected',
    botUsername: info?.username ?? input.username,
    botName: info?.first_name ?? null,
    commands: commands.map(({ command, description }) => ({ command, description })),
    botInfo: info,
    activeUserCount,
    updates: facts.updates,
    recentMessages: facts.recent,
    error: 'problem' in supervisor ? (supervisor.problem?.text ?? null) : null,
    lastContactAt: isoOrNull(facts.lastContactAt),
    retryAt: isoOrNull(supervisor.state === 'waiting' ? supervisor.retryAt : null),
    apiHost,
  };
}

/** The same for everybody else. */
export function withoutDetails({ configured, connected, botUsername, botName, commands }: BotStatus): BotStatus {
  return {
    ...{ configured, connected, botUsername, botName, commands },
    ...{ botInfo: null, activeUserCount: null, updates: null, recentMessages: null },
    ...{ error: null, lastContactAt: null, retryAt: null, apiHost: null },
  };
}

export interface StatusNews {
  /** Something may have changed. */
  changed(): void;
  stop(): void;
}

/** Says what is new of the bot: to everybody what everybody may know, to administrators all of it. Once a second at most. */
export function createStatusNews(deps: {
  read(): Promise<Details>;
  publisher: Pick<Publisher, 'send'>;
  clock: Clock;
}): StatusNews {
  const { read, publisher, clock } = deps;
  let timer: NodeJS.Timeout | undefined;
  let saidAt = Number.NEGATIVE_INFINITY;
  let said = { everybody: '', admins: '' };
  let isStopped = false;
  let isReading = false;
  let isOld = false;

  /** One at a time: of two readings the older one might come last. */
  async function sayNext(): Promise<void> {
    timer = undefined;
    saidAt = clock.now();
    isReading = true;
    await say();
    isReading = false;
    if (isOld) changed();
  }

  function changed(): void {
    if (isStopped) return;
    isOld = isReading;
    if (!isReading) timer ??= setTimeout(() => void sayNext(), Math.max(0, saidAt + STATUS_PAUSE - clock.now()));
  }

  async function say(): Promise<void> {
    // Without the database nobody hears the count; whoever asks by REST is told that it is away.
    const status = await read().catch(() => null);
    if (!status || isStopped) return;
    const now = { everybody: JSON.stringify(withoutDetails(status)), admins: JSON.stringify(status) };
    const before = said;
    said = now;
    if (now.everybody !== before.everybody) publisher.send('bot-status', 'tokens', withoutDetails(status));
    // Last, for an administrator hears both.
    if (now.admins !== before.admins) publisher.send('bot-status', 'admin', status);
  }

  return {
    changed,
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
