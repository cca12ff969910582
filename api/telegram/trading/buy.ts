import { lamportsOfSol } from '../../../common/tokens/units.ts';
import type { TradingAccount } from '../../../common/trading/account.ts';
import { sol } from '../../../common/trading/text.ts';
import type { Command, LinkedInput } from '../commands/command.ts';
import { lines } from '../commands/text.ts';
import { botMode, overBotLimit } from './allowed.ts';
import type { BotTrade, BotTrading } from './bot-trading.ts';
import { findToken, type NamedToken, startsWithAddress, wrongFigure } from './find-token.ts';
import { type Offer, offerReply, refusedOffer } from './offer.ts';
import { modeBadge, quoteLines, warningsText } from './text.ts';

const USAGE = 'Send /buy <address or symbol> [SOL], such as /buy SYM 0.1.';

export const buy: Command = {
  command: 'buy',
  description: 'Buy a token: /buy <address or symbol> [SOL]',
  access: 'linked',
  async run(input, context) {
    const { trading } = context;
    const asked = parseBuy(input.args);
    if (!asked) return `${wrongFigure(input.args, 'an amount of SOL') ?? 'Which one?'} ${USAGE}`;
    const account = await trading.account(input.user._id.toHexString());
    const allowed = botMode(account);
    if ('refusal' in allowed) return allowed.refusal;
    const amounts = amountsOf(asked.lamports, account);
    if ('refusal' in amounts) return amounts.refusal;
    const token = await findToken(asked.token, context);
    if ('refusal' in token) return token.refusal;
    const offers = await offersFor(amounts.lamports, { token, input, account, trading });
    const title = `Buy ${token.label} · ${modeBadge(allowed.mode)}\n${token.address}`;
    return offerReply(title, offers, { ...allowed, input, context });
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
    const refusal = overBotLimit(asked, account);
    return refusal === null ? { lamports: [asked] } : { refusal };
  }
  const presets = [...new Set(account.defaults.buyPresets)].filter((one) => overBotLimit(one, account) === null);
  return { lamports: presets.length === 0 ? [account.bot.maxLamports] : presets };
}

async function offersFor(
  amounts: readonly number[],
  {
    token,
    input,
    account,
    trading,
  }: { token: NamedToken; input: LinkedInput; account: TradingAccount; trading: BotTrading },
): Promise<Offer[]> {
  const userId = input.user._id.toHexString();
  const { slippageBps } = account.defaults;
  return Promise.all(
    amounts.map(async (lamports): Promise<Offer> => {
      const trade: BotTrade = { address: token.address, side: 'buy', lamports, sharePercent: null, slippageBps };
      const { quote, refusal } = await trading.quote(userId, trade);
      if (refusal || !quote) return refusedOffer(sol(lamports), refusal);
      const { warnings: accept, leastTokens } = quote;
      return {
        text: lines(quoteLines(quote, token.label), warningsText(accept)),
        button: {
          text: `Buy ${sol(lamports)}`,
          choice: { type: 'buy', ...token, lamports, slippageBps, leastTokens: leastTokens ?? '0', accept },
        },
      };
    }),
  );
}
