import { tokenVariables } from '../../../common/templates/variables.ts';
import { addressSchema, type Token } from '../../../common/tokens/model.ts';
import { cutText, plainText } from '../../../common/tokens/text/plain-text.ts';
import { lamportsOfSol } from '../../../common/tokens/units.ts';
import {
  type BuyPreset,
  limitBounds,
  type PresetIndex,
  presetIndexes,
  presetNames,
  type SellPreset,
  type TradingAccount,
  type TradingMode,
} from '../../../common/trading/account.ts';
import { mostFees } from '../../../common/trading/fills.ts';
import type { Position } from '../../../common/trading/position.ts';
import { reasonText } from '../../../common/trading/reasons.ts';
import { sol } from '../../../common/trading/text.ts';
import { presentToken } from '../../tokens/present.ts';
import type { Command, CommandContext, LinkedInput, Reply } from '../commands/command.ts';
import { lines } from '../commands/text.ts';
import { dollars, tokensOfSymbol } from '../commands/tokens.ts';
import type { ConfirmButton } from '../confirms.ts';
import { type BotTrade, botMode, overBotLimit } from './engine.ts';
import { modeBadge, quoteLines, tokenLabel, warningsText } from './text.ts';

const BUY_USAGE = 'Send /buy <address or symbol> [SOL or preset], such as /buy SYM 0.1 or /buy SYM P2.';

export const buy: Command = {
  command: 'buy',
  description: 'Buy a token: /buy <address or symbol> [SOL or preset]',
  access: 'linked',
  async run(input, context) {
    const asked = parseBuy(input.args);
    if (!asked) return `${wrongFigure(input.args, 'an amount of SOL or a preset') ?? 'Which one?'} ${BUY_USAGE}`;
    const account = await context.trading.account(input.user._id.toHexString());
    const allowed = botMode(account);
    if ('refusal' in allowed) return allowed.refusal;
    const purchases = purchasesOf(asked, account);
    if ('refusal' in purchases) return purchases.refusal;
    const tokens = await findTokens(asked.token, context);
    if ('refusal' in tokens) return tokens.refusal;
    const offer = { ...allowed, input, context };
    const [only, ...others] = tokens;
    if (only && others.length === 0) {
      return offerTrades(
        titleOf('Buy', only, allowed.mode),
        purchases.map((one) => purchaseOf(only, one)),
        offer,
      );
    }
    return offerTokens(tokens, chosenOf(purchases, account), offer);
  },
};

/** Parses '<token> [amount] [SOL]' and '<token> [preset]'. Null: no token, or no valid amount. */
export function parseBuy(args: string): { token: string; lamports: number | null; preset: PresetIndex | null } | null {
  const [, token = '', amount, name] = /^(.*?)(?:\s+(?:([\d.,]+)(?:\s*sol)?|(p[1-3])))?$/i.exec(args) ?? [];
  if (token === '' || startsWithAddress(token)) return null;
  const preset = presetIndexes.find((at) => presetNames[at] === name?.toUpperCase()) ?? null;
  if (amount === undefined) return { token, lamports: null, preset };
  const lamports = lamportsOfSol(amount);
  if (lamports === null || lamports <= 0n || lamports > BigInt(Number.MAX_SAFE_INTEGER)) return null;
  return { token, lamports: Number(lamports), preset };
}

/** A purchase of any token. `name`: of its preset; null for an amount of its own. */
interface Purchase extends BuyPreset {
  name: string | null;
}

/** Returns the purchase asked for, or all presets, within the limit of the bot. An amount has the terms of the chosen preset. */
function purchasesOf(
  { lamports, preset }: { lamports: number | null; preset: PresetIndex | null },
  account: TradingAccount,
): Purchase[] | { refusal: string } {
  const { buy: presets, chosenBuy } = account.presets;
  const named = presetIndexes.map((at): Purchase => ({ ...presets[at], name: presetNames[at] }));
  const own = (amount: number): Purchase => ({ ...presets[chosenBuy], lamports: amount, name: null });
  const asked = lamports === null ? (preset === null ? null : named[preset]) : own(lamports);
  if (asked) {
    const refusal = overBotLimit(asked, account);
    return refusal === null ? [asked] : { refusal };
  }
  const allowed = named.filter((one) => overBotLimit(one, account) === null);
  if (allowed.length > 0) return allowed;
  const rest = account.bot.maxLamports - mostFees(presets[chosenBuy]);
  return rest >= limitBounds.perTradeLamports.min
    ? [own(rest)]
    : { refusal: overBotLimit(presets[chosenBuy], account) ?? BUY_USAGE };
}

/** Returns the purchase of the chosen preset, else the first one. */
function chosenOf(purchases: readonly Purchase[], { presets: { chosenBuy } }: TradingAccount): Purchase | undefined {
  return purchases.find(({ name }) => name === presetNames[chosenBuy]) ?? purchases[0];
}

function purchaseOf({ address, label }: NamedToken, { name, ...preset }: Purchase): NamedTrade {
  const amount = sol(preset.lamports);
  const trade = { ...preset, address, side: 'buy' as const, sharePercent: null };
  const button = `Buy ${amount}`;
  return { trade, label, amount, ...headed(name, button) };
}

/** Tokens of one symbol offered in a reply. */
const TOKENS_OFFERED = 5;

/** Returns the reply with the age, the market cap and a button of each token of one symbol, newest first. */
function offerTokens(
  tokens: readonly FoundToken[],
  purchase: Purchase | undefined,
  offer: OfferContext,
): Reply | Promise<Reply> {
  if (!purchase) return BUY_USAGE;
  const now = offer.context.clock.now();
  const trades = tokens.slice(0, TOKENS_OFFERED).map((token, at): NamedTrade => {
    const number = `${at + 1}.`;
    const amount = `${number} ${token.label}`;
    const head = `${amount} · ${factsOf(token.token, now)}\n${token.address}\n`;
    return { ...purchaseOf(token, purchase), amount, head, button: `${number} Buy ${sol(purchase.lamports)}` };
  });
  const rest = tokens.length - TOKENS_OFFERED;
  const title = lines(
    `${tokens.length} tokens have this symbol · ${modeBadge(offer.mode)}`,
    rest > 0 ? `The newest ${TOKENS_OFFERED} are below. Send the address for another one.` : null,
  );
  return offerTrades(title, trades, offer);
}

/** Returns '3m old · market cap $12.4K'. `now`: epoch ms. */
function factsOf(token: Token, now: number): string {
  const values = tokenVariables(token, now);
  return `created ${values['timeAgo(token.createdAt)']} · market cap ${dollars(values['token.marketCap'])}`;
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
    const { sell: presets, chosenSell } = account.presets;
    const sales: (SellPreset & { name: string | null })[] =
      asked.sharePercent === null
        ? presetIndexes.map((at) => ({ ...presets[at], name: presetNames[at] }))
        : [{ ...presets[chosenSell], sharePercent: asked.sharePercent, name: null }];
    const { address, label } = token;
    const trades = sales.map(({ name, ...preset }): NamedTrade => {
      const amount = sellText(preset.sharePercent);
      const trade = { ...preset, address, side: 'sell' as const, lamports: null };
      return { trade, label, amount, ...headed(name, amount) };
    });
    return offerTrades(titleOf('Sell', token, allowed.mode), trades, { ...allowed, input, context });
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

/** A trade of a token with its texts. `amount`: what a refusal names. `head`: text before its quote. */
interface NamedTrade {
  trade: BotTrade;
  label: string;
  amount: string;
  head: string;
  button: string;
}

/** Returns the texts of a trade by a preset, or by none (null). */
function headed(preset: string | null, button: string): Pick<NamedTrade, 'head' | 'button'> {
  return preset === null ? { head: '', button } : { head: `${preset} · `, button: `${preset}: ${button}` };
}

/** A quoted trade with its button; a refused one has its amount and the reason instead. */
type Offer = { text: string; button: ConfirmButton } | { amount: string; refusal: string };

interface OfferContext {
  input: LinkedInput;
  mode: TradingMode;
  context: Pick<CommandContext, 'trading' | 'confirms' | 'clock'>;
}

function titleOf(verb: 'Buy' | 'Sell', { label, address }: NamedToken, mode: TradingMode): string {
  return `${verb} ${label} · ${modeBadge(mode)}\n${address}`;
}

/** Returns the reply with the quotes of these trades, each reason once with what it refuses, a button for each other trade, and Cancel. */
async function offerTrades(
  title: string,
  trades: readonly NamedTrade[],
  { input, mode, context: { trading, confirms } }: OfferContext,
): Promise<Reply> {
  const userId = input.user._id.toHexString();
  const offers = await Promise.all(
    trades.map(async ({ trade, label, amount, head, button }): Promise<Offer> => {
      const { quote, refusal } = await trading.quote(userId, trade);
      if (refusal || !quote) return { amount, refusal: refusal ? reasonText(refusal) : 'no quote' };
      const { warnings: accept, leastTokens, leastLamports } = quote;
      const least = trade.side === 'buy' ? (leastTokens ?? '0') : (leastLamports?.toString() ?? null);
      const choice = { type: 'trade' as const, trade, label, least, accept };
      const text = lines(`${head}${quoteLines(quote, label)}`, warningsText(accept));
      return { text, button: { text: button, choice } };
    }),
  );
  const refused = new Map<string, string[]>();
  for (const offer of offers) {
    if ('refusal' in offer) refused.set(offer.refusal, [...(refused.get(offer.refusal) ?? []), offer.amount]);
  }
  const quoted = offers.flatMap((offer) => ('button' in offer ? offer : []));
  const refusals = [...refused].map(([refusal, amounts]) => `${amounts.join(', ')}: ${refusal}`);
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

/** A token that was found, with its figures. */
interface FoundToken extends NamedToken {
  token: Token;
}

/** Returns the token of an address, or all of a symbol, newest first; why there is none otherwise. */
async function findTokens(
  text: string,
  { queries }: Pick<CommandContext, 'queries'>,
): Promise<FoundToken[] | { refusal: string }> {
  if (addressSchema.safeParse(text).success) {
    const found = await queries.byAddress(text);
    return found ? [named(presentToken(found))] : { refusal: 'No token with this address is known.' };
  }
  const found = await tokensOfSymbol(text, queries);
  return found.length === 0
    ? { refusal: 'No token with this symbol is known.' }
    : found.map((one) => named(presentToken(one)));
}

/** Returns the token of an address, or the only one of a symbol; otherwise what to send instead. */
export async function findToken(
  text: string,
  context: Pick<CommandContext, 'queries'>,
): Promise<NamedToken | { refusal: string }> {
  const tokens = await findTokens(text, context);
  if ('refusal' in tokens) return tokens;
  const [only, ...others] = tokens;
  return only && others.length === 0 ? only : { refusal: addressNeeded(tokens.map(({ address }) => address)) };
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

function named(token: Token): FoundToken {
  return { address: token.address, label: tokenLabel(token), token };
}
