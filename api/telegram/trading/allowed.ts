import type { TradingAccount, TradingMode } from '../../../common/trading/account.ts';
import { reason, reasonText } from '../../../common/trading/reasons.ts';
import { sol } from '../../../common/trading/text.ts';

/** Reply while the bot may not trade with real money. */
export const LIVE_OFF =
  'Trading by bot with real money is off. Switch it on in Settings → Trading with your password, or trade on the website.';

/** Reply to /resume in a mode with real money. */
export const RESUME_ON_WEB = 'With real money, resume on the website: it needs your password.';

/** Returns the mode in which the bot may trade for this account, or why it may not. */
export function botMode({ mode, bot }: TradingAccount): { mode: TradingMode } | { refusal: string } {
  if (mode === null) return { refusal: reasonText(reason('trading-off')) };
  if (mode === 'live' && !bot.live) return { refusal: LIVE_OFF };
  return { mode };
}

/** Returns why the bot may not spend this much at once; null when it may, or for a sale. */
export function overBotLimit({ lamports }: { lamports: number | null }, { bot }: TradingAccount): string | null {
  if (lamports === null || lamports <= bot.maxLamports) return null;
  return `${sol(lamports)} exceeds your limit of ${sol(bot.maxLamports)} for one purchase by the bot. Change it in Settings → Trading.`;
}
