import type { BotCommand } from '../../../common/telegram/model.ts';
import type { Clock } from '../../../common/time.ts';
import type { Market } from '../../market/market.ts';
import type { Rules } from '../../rules/service.ts';
import type { SettingsService } from '../../settings/service.ts';
import type { TokenQueries } from '../../tokens/service.ts';
import type { UserRecord } from '../../users/model.ts';
import type { Wallets } from '../../wallet/service.ts';
import type { Watchlists } from '../../watchlists/service.ts';
import type { PrivateChat, TelegramLinks } from '../links/service.ts';

/** What commands ask: the same services as the REST calls do. */
export interface CommandServices {
  queries: Pick<TokenQueries, 'newest' | 'runners' | 'mightRun' | 'stats' | 'byAddress' | 'list'>;
  market: Pick<Market, 'status'>;
  watchlists: Pick<Watchlists, 'add' | 'tokens'>;
  wallets: Pick<Wallets, 'current'>;
  rules: Pick<Rules, 'list'>;
  settings: Pick<SettingsService, 'get' | 'change'>;
  /** Lamports of a wallet. Throws `chain-unavailable`. */
  balance(walletAddress: string): Promise<bigint>;
}

export interface CommandContext extends CommandServices {
  links: Pick<TelegramLinks, 'redeem' | 'unlink'>;
  clock: Clock;
  /** Where the web pages are, without a slash at the end; null: no address is given. */
  publicUrl: string | null;
  /** All of them, in the order of the menu. */
  commands: readonly BotCommand[];
}

export interface CommandInput {
  /** What follows the command, trimmed. */
  args: string;
  chat: PrivateChat;
  /** Whose chat it is; null: nobody's. */
  user: UserRecord | null;
}

/** One command. It answers a short plain text. A `PublicError` it throws is answered by its text. */
export type Command = BotCommand &
  (
    | { access: 'everyone'; run(input: CommandInput, context: CommandContext): string | Promise<string> }
    /** Only in a chat that is linked to an account. */
    | {
        access: 'linked';
        run(input: CommandInput & { user: UserRecord }, context: CommandContext): string | Promise<string>;
      }
  );
