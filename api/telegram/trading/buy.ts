import { lamportsOfSol } from '../../../common/tokens/units.ts';
import type { TradingAccount } from '../../../common/trading/account.ts';
import type { Command } from '../commands/command.ts';
import { botMode, overBotLimit } from './allowed.ts';
import { findToken, startsWithAddress, wrongFigure } from './find-token.ts';
import { offerTrades } from './offer.ts';

const USAGE = 'Send /buy <address or symbol> [SOL], such as /buy SYM 0.1.';

export const buy: Command = {
  command: 'buy',
  description: 'Buy a token: /buy <address or symbol> [SOL]',
  access: 'linked',
  async run(input, context) {
    const asked = parseBuy(input.args);
    if (!asked) return `${wrongFigure(input.args, 'an amount of SOL') ?? 'Which one?'} ${USAGE}`;
    const account = await context.trading.account(input.user._id.toHexString());
    const allowed = botMode(account);
    if ('refusal' in allowed) return allowed.refusal;
    const amounts = amountsOf(asked.lamports, account);
    if ('refusal' in amounts) return amounts.refusal;
    const token = await findToken(asked.token, context);
    if ('refusal' in token) return token.refusal;
    const { slippageBps } = account.defaults;
    const trade = { address: token.address, side: 'buy' as const, sharePercent: null, slippageBps };
    const trades = amounts.lamports.map((lamports) => ({ ...trade, lamports }));
    return offerTrades(token, trades, { ...allowed, input, context });
  },
};

/** Parses '<token> [amount] [SOL]'. `lamports`: null without an amount. Null: no token, or no valid amount. */
export function parseBuy(args: string): { token: string; lamports: number | null } | null {
  const [, token = '', amount] = /^(.*?)(?:\s+([\d.,]+)(?:\s*sol)?)?$/i.exec(args) ?? [];
  if (token === '' || startsWithAddress(token)) return null;
  if (amount === undefined) return { token, lamports: null };
  const lamports = lamportsOfSol(amount);
  if (lamports === null || lamports <= 0n || lamports > BigInt(Number.MAX_SAFE_INTEGER)) return null;
  return { token, lamports: Number(lamports) };
}

/** Returns the amount asked for, or the presets within the limit of the bot. */
function amountsOf(asked: number | null, account: TradingAccount): { lamports: number[] } | { refusal: string } {
  if (asked !== null) {
    const refusal = overBotLimit({ lamports: asked }, account);
    return refusal === null ? { lamports: [asked] } : { refusal };
  }
  const presets = [...new Set(account.defaults.buyPresets)].filter(
    (lamports) => overBotLimit({ lamports }, account) === null,
  );
  return { lamports: presets.length === 0 ? [account.bot.maxLamports] : presets };
}
