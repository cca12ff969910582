import { addressSchema } from '../../../common/tokens/model.ts';
import { cutText, plainText } from '../../../common/tokens/text/plain-text.ts';
import { lamportsOfSol } from '../../../common/tokens/units.ts';
import type { TradingAccount, TradingMode } from '../../../common/trading/account.ts';
import type { Position } from '../../../common/trading/position.ts';
import { reasonText } from '../../../common/trading/reasons.ts';
import { sol } from '../../../common/trading/text.ts';
import { presentToken } from '../../tokens/present.ts';
import type { Command, CommandContext, LinkedInput, Reply } from '../commands/command.ts';
import { lines } from '../commands/text.ts';
import { tokensOfSymbol } from '../commands/tokens.ts';
import type { ConfirmButton } from '../confirms.ts';
import { type BotTrade, botMode, overBotLimit } from './engine.ts';
import { modeBadge, quoteLines, tokenLabel, warningsText } from './text.ts';

const BUY_USAGE = 'Send /buy <address or symbol> [SOL], such as /buy SYM 0.1.';

export const buy: Command = {
  command: 'buy',
  description: 'Buy a token: /buy <address or symbol> [SOL]',
  access: 'linked',
  async run(input, context) {
    const asked = parseBuy(input.args);
    if (!asked) return `${wrongFigure(input.args, 'an amount of SOL') ?? 'Which one?'} ${BUY_USAGE}`;
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

const SELL_USAGE = 'Send /sell <address or symbol> [%], such as /sell SYM 50.';

export const sell: Command = {
  command: 'sell',
  description: 'Sell a token: /sell <address or symbol> [%]',
  access: 'linked',
  async run(input, context) {
    const { trading } = context;
    const asked = parseSell(input.args);
    if (!asked) return `${wrongFigure(input.args, 'a percentage from 1 to 100') ?? 'Which one?'} ${SELL_USAGE}`;
    const userId = input.user._id.toHexString();
    const account = await trading.account(userId);
    const allowed = botMode(account);
    if ('refusal' in allowed) return allowed.refusal;
    const token = await heldToken(asked.token, await trading.positions(userId), context);
    if ('refusal' in token) return token.refusal;
    const { slippageBps, sellPresets } = account.defaults;
    const shares = asked.sharePercent === null ? [...new Set(sellPresets)] : [asked.sharePercent];
    const trade = { address: token.address, side: 'sell' as const, lamports: null, slippageBps };
    const trades = shares.map((sharePercent) => ({ ...trade, sharePercent }));
    return offerTrades(token, trades, { ...allowed, input, context });
  },
};

/** Parses '<token> [percent] [%]'. `sharePercent`: null without one. Null: no token, or no percentage from 1 to 100. */
export function parseSell(args: string): { token: string; sharePercent: number | null } | null {
  const [, token = '', percent] = /^(.*?)(?:\s+(\d{1,3})\s*%?)?$/.exec(args) ?? [];
  if (token === '' || startsWithAddress(token)) return null;
  if (percent === undefined) return { token, sharePercent: null };
  const sharePercent = Number(percent);
  return sharePercent >= 1 && sharePercent <= 100 ? { token, sharePercent } : null;
}

/** Returns the token of an address, or the only one of a symbol that the user holds. */
async function heldToken(
  text: string,
  positions: readonly Position[],
  context: CommandContext,
): Promise<NamedToken | { refusal: string }> {
  const symbol = text.replace(/^\$/, '').toLowerCase();
  const isNamed = ({ token }: Position) => token.address === text || token.symbol?.trim().toLowerCase() === symbol;
  const held = new Map(positions.filter(isNamed).map(({ token }) => [token.address, token]));
  const [first, ...others] = held.values();
  if (first && others.length === 0) return { address: first.address, label: tokenLabel(first) };
  if (first) return { refusal: addressNeeded([...held.keys()]) };
  // A wallet may hold tokens that were not bought here.
  if (addressSchema.safeParse(text).success) return findToken(text, context);
  return { refusal: 'You hold no token with this symbol. Send its address if it was bought elsewhere.' };
}

const ALL = 100;

/** A quoted trade with its button; a refused one has its amount and the reason instead. */
type Offer = { text: string; button: ConfirmButton } | { amount: string; refusal: string };

interface OfferContext {
  input: LinkedInput;
  mode: TradingMode;
  context: Pick<CommandContext, 'trading' | 'confirms'>;
}

/**
 * Returns the reply with the quotes of these trades of a token, each reason once with the amounts that it refuses, a button for
 * each trade that was not refused, and Cancel.
 */
async function offerTrades(
  token: NamedToken,
  trades: readonly BotTrade[],
  { input, mode, context: { trading, confirms } }: OfferContext,
): Promise<Reply> {
  const userId = input.user._id.toHexString();
  const offers = await Promise.all(
    trades.map(async (trade): Promise<Offer> => {
      const { quote, refusal } = await trading.quote(userId, trade);
      const isPurchase = trade.side === 'buy';
      const amount = isPurchase ? sol(trade.lamports ?? 0) : sellText(trade.sharePercent ?? ALL);
      if (refusal || !quote) return { amount, refusal: refusal ? reasonText(refusal) : 'no quote' };
      const { warnings: accept, leastTokens, leastLamports } = quote;
      const least = isPurchase ? (leastTokens ?? '0') : (leastLamports?.toString() ?? null);
      const choice = { type: 'trade' as const, trade, label: token.label, least, accept };
      const text = lines(quoteLines(quote, token.label), warningsText(accept));
      return { text, button: { text: isPurchase ? `Buy ${amount}` : amount, choice } };
    }),
  );
  const refused = new Map<string, string[]>();
  for (const offer of offers) {
    if ('refusal' in offer) refused.set(offer.refusal, [...(refused.get(offer.refusal) ?? []), offer.amount]);
  }
  const quoted = offers.flatMap((offer) => ('button' in offer ? offer : []));
  const refusals = [...refused].map(([refusal, amounts]) => `${amounts.join(', ')}: ${refusal}`);
  const verb = trades[0]?.side === 'sell' ? 'Sell' : 'Buy';
  const title = `${verb} ${token.label} · ${modeBadge(mode)}\n${token.address}`;
  const text = [title, ...quoted.map((offer) => offer.text), ...refusals].join('\n\n');
  if (quoted.length === 0) return text;
  const rows = [quoted.map(({ button }) => button), [{ text: 'Cancel', choice: { type: 'cancel' as const } }]];
  return { text, buttons: confirms.ask({ userId, chatId: input.chat.chatId, mode }, rows) };
}

/** Returns the text of a button that sells. */
export function sellText(sharePercent: number): string {
  return sharePercent === ALL ? 'Sell all' : `Sell ${sharePercent} %`;
}

/** Addresses of one symbol listed in a reply. */
const LISTED = 5;
/** Longest repeated word of a message. */
const FIGURE_MAX = 20;

/** A token that a person named. */
interface NamedToken {
  address: string;
  label: string;
}

/** Returns the token of an address, or the only one of a symbol; otherwise what to send instead. */
export async function findToken(
  text: string,
  { queries }: Pick<CommandContext, 'queries'>,
): Promise<NamedToken | { refusal: string }> {
  if (addressSchema.safeParse(text).success) {
    const found = await queries.byAddress(text);
    return found ? named(presentToken(found)) : { refusal: 'No token with this address is known.' };
  }
  const [only, ...others] = await tokensOfSymbol(text, queries);
  if (!only) return { refusal: 'No token with this symbol is known.' };
  return others.length === 0
    ? named(presentToken(only))
    : { refusal: addressNeeded([only, ...others].map(({ _id }) => _id)) };
}

/** Whether words follow an address: then they are no part of a symbol, but an amount that can't be read. */
function startsWithAddress(text: string): boolean {
  const [first, ...others] = text.split(/\s+/);
  return others.length > 0 && addressSchema.safeParse(first).success;
}

/** Names the last word after a token, which is not `what`; null when there is only one word. */
function wrongFigure(args: string, what: string): string | null {
  const [, last] = /\s(\S+)$/.exec(args) ?? [];
  return last === undefined ? null : `“${cutText(plainText(last), FIGURE_MAX)}” is not ${what}.`;
}

/** Demands the address, since any creator may copy a symbol. */
function addressNeeded(addresses: readonly string[]): string {
  const rest = addresses.length - LISTED;
  return lines(
    `${addresses.length} tokens have this symbol. Send the address of the one you mean:`,
    ...addresses.slice(0, LISTED),
    rest > 0 ? `And ${rest} more.` : null,
  );
}

function named(token: { address: string; name: string | null; symbol: string | null }): NamedToken {
  return { address: token.address, label: tokenLabel(token) };
}
