import type { BotCommand } from '../../../common/telegram/model.ts';
import type { Clock } from '../../../common/time.ts';
import type { Market } from '../../market/market.ts';
import type { Rules } from '../../rules/service.ts';
import type { SettingsService } from '../../settings/service.ts';
import type { TokenQueries } from '../../tokens/service.ts';
import type { ExplainToken } from '../../trading/decisions/explain.ts';
import type { UserRecord } from '../../users/model.ts';
import type { Wallets } from '../../wallet/service.ts';
import type { Watchlists } from '../../watchlists/service.ts';
import type { Confirms } from '../confirms.ts';
import type { PrivateChat, TelegramLinks } from '../links.ts';
import type { Keyboard } from '../sender.ts';
import type { BotTrading } from '../trading/engine.ts';

/** The services that commands use, the same as REST calls. */
export interface CommandServices {
  queries: Pick<TokenQueries, 'newest' | 'runners' | 'mightRun' | 'stats' | 'byAddress' | 'list'>;
  market: Pick<Market, 'status'>;
  watchlists: Pick<Watchlists, 'add' | 'tokens'>;
  wallets: Pick<Wallets, 'current'>;
  rules: Pick<Rules, 'list'>;
  settings: Pick<SettingsService, 'get' | 'change'>;
  /** Resolves with the lamports of a wallet. Throws `chain-unavailable`. */
  balance(walletAddress: string): Promise<bigint>;
  trading: BotTrading;
  confirms: Confirms;
  /** Explains why the plans of a user do not buy a token now. */
  explainToken: ExplainToken;
}

export interface CommandContext extends CommandServices {
  links: Pick<TelegramLinks, 'redeem' | 'unlink'>;
  clock: Clock;
  /** Address of the web pages without a slash at the end; null: replies contain no links. */
  publicUrl: string | null;
  /** All commands, in the order of the menu. */
  commands: readonly BotCommand[];
}

export interface CommandInput {
  /** The text after the command, trimmed. */
  args: string;
  chat: PrivateChat;
  /** The user linked to the chat; null: none. */
  user: UserRecord | null;
}

/** A command of a chat with an account. */
export interface LinkedInput extends CommandInput {
  user: UserRecord;
}

/** A short plain text, with or without buttons below it. */
export type Reply = string | { text: string; buttons: Keyboard };

/** One command. The reply to a `PublicError` it throws is the text of the error. */
export type Command = BotCommand &
  (
    | { access: 'everyone'; run(input: CommandInput, context: CommandContext): Reply | Promise<Reply> }
    /** Only in a chat linked to an account. */
    | { access: 'linked'; run(input: LinkedInput, context: CommandContext): Reply | Promise<Reply> }
  );

/** A message as a command. `other-bot`: it addresses another bot. Null: it is no command. */
export type CommandLine = { command: string; args: string } | 'other-bot' | null;

const COMMAND = /^\/([A-Za-z0-9_]{1,32})(?:@(\w+))?(?:\s+([\s\S]*))?$/;

/** Parses '/token@Bot SYM'. `botUsername` is without the @. */
export function parseCommand(text: string, botUsername: string): CommandLine {
  const [, command, bot, args = ''] = COMMAND.exec(text.trim()) ?? [];
  if (command === undefined) return null;
  if (bot !== undefined && bot.toLowerCase() !== botUsername.toLowerCase()) return 'other-bot';
  return { command: command.toLowerCase(), args: args.trim() };
}

/** Returns whether a message is this command, whichever bot it addresses. */
export function isCommand(text: string, { command }: BotCommand): boolean {
  return COMMAND.exec(text.trim())?.[1]?.toLowerCase() === command;
}
