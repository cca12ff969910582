import { DAY, HOUR, MINUTE } from '../time.ts';
import type { Token } from '../tokens/model.ts';
import { cutText, plainText, withoutLinks } from '../tokens/text/plain-text.ts';

/** Variables of a token with their descriptions. */
const ofTokens = [
  { name: 'token.name', description: "The token's name" },
  { name: 'token.symbol', description: "The token's symbol" },
  { name: 'token.address', description: "The token's mint address" },
  { name: 'token.price', description: 'Price in SOL, with 8 decimals' },
  { name: 'token.liquidity', description: 'Current liquidity in SOL' },
  { name: 'token.marketCap', description: 'Market cap in US dollars' },
  { name: 'token.risk', description: 'Risk score, 0 to 100' },
  { name: 'token.holders', description: 'Number of holders' },
  { name: 'timeAgo(token.createdAt)', description: "Time since the token's creation" },
] as const;
export type TokenVariable = (typeof ofTokens)[number]['name'];

/** Variables of alerts about trades with their descriptions, and the values that a preview shows. */
const ofTrades = [
  { name: 'trade.side', description: 'Of an order: buy or sell', example: 'buy' },
  { name: 'trade.tokens', description: 'Tokens bought, sold or to be sold', example: '3,402,118' },
  { name: 'trade.sol', description: 'SOL paid or received, with the launchpad’s fee', example: '0.1' },
  { name: 'trade.total', description: 'SOL that left or reached the wallet, with all costs', example: '0.10214428' },
  { name: 'trade.profit', description: 'Gain or loss of a sale after all costs', example: '+0.0123 SOL (+12.3 %)' },
  { name: 'trade.price', description: 'Average price in SOL without fees', example: '0.0000000289' },
  { name: 'trade.by', description: 'What asked for the order, such as you or a stop loss', example: 'you' },
  {
    name: 'trade.network',
    description: 'Network of the money: Paper, Local chain or Mainnet (beta)',
    example: 'Paper',
  },
  { name: 'trade.reason', description: 'Why an order failed, or what a stop did', example: 'Cancelled.' },
] as const;
export type TradeVariable = (typeof ofTrades)[number]['name'];

/** Variables of alerts that users set up. */
const ofAlerts = [
  {
    name: 'alert.reason',
    description: 'Why an alert that a user set up was sent',
    example: 'passed Fresh & clean: holders ≥ 30',
  },
] as const;

/** Variables of templates with their descriptions. */
export const templateVariables = [...ofTokens, ...ofTrades, ...ofAlerts] as const;

/** Values of a made-up trade and alert, for previews. */
export const exampleValues: Readonly<Record<string, string>> = Object.fromEntries(
  [...ofTrades, ...ofAlerts].map(({ name, example }) => [name, example]),
);

/** The fields of a token that templates use; both list rows and details have them. */
export type TemplateToken = Pick<
  Token,
  | 'name'
  | 'symbol'
  | 'address'
  | 'price'
  | 'currentLiquidity'
  | 'marketCap'
  | 'scamProbability'
  | 'holderCount'
  | 'createdAt'
>;

const UNKNOWN = '–';
const UNKNOWN_NAME = 'Unknown Token';
/** Longer names are cut off. */
const NAME_MAX = 80;
const PRICE_DECIMALS = 8;
const LEAST_PRICE = 10 ** -PRICE_DECIMALS;
const CENT = 0.01;

/** Created once: construction is much slower than formatting. */
const figures = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });

/** Returns the variables of a token. Unknown values are '–', never 0. `now`: epoch ms. */
export function tokenVariables(token: TemplateToken, now: number): Record<TokenVariable, string> {
  return {
    ...nameVariables(token),
    'token.price': known(token.price, priceText),
    'token.liquidity': known(token.currentLiquidity, amountText),
    'token.marketCap': known(token.marketCap, amountText),
    'token.risk': known(token.scamProbability, (score) => String(Math.round(score))),
    'token.holders': known(token.holderCount, (count) => figures.format(count)),
    'timeAgo(token.createdAt)': token.createdAt === null ? UNKNOWN : timeAgo(Date.parse(token.createdAt), now),
  };
}

/** Returns the time since `at` in words: 'just now', '1 minute ago', '3 hours ago'. Both in epoch ms. */
export function timeAgo(at: number, now: number): string {
  const passed = now - at;
  if (passed < MINUTE) return 'just now';
  if (passed < HOUR) return ago(passed / MINUTE, 'minute');
  return passed < DAY ? ago(passed / HOUR, 'hour') : ago(passed / DAY, 'day');
}

function ago(units: number, unit: string): string {
  const whole = Math.floor(units);
  return `${whole} ${unit}${whole === 1 ? '' : 's'} ago`;
}

function known(value: number | null, text: (value: number) => string): string {
  return value === null ? UNKNOWN : text(value);
}

/** Formats a price in SOL. An amount too small for the decimals must not look like zero. */
function priceText(price: number): string {
  const least = LEAST_PRICE.toFixed(PRICE_DECIMALS);
  return price > 0 && price < LEAST_PRICE ? `< ${least}` : price.toFixed(PRICE_DECIMALS);
}

function amountText(amount: number): string {
  if (amount > 0 && amount < CENT) return `< ${CENT}`;
  return figures.format(amount);
}

/** Returns the names of a token as templates show them. */
export function nameVariables({
  name,
  symbol,
  address,
}: Pick<TemplateToken, 'name' | 'symbol' | 'address'>): Record<
  'token.name' | 'token.symbol' | 'token.address',
  string
> {
  return {
    'token.name': plainName(name) ?? UNKNOWN_NAME,
    'token.symbol': plainName(symbol) ?? UNKNOWN,
    'token.address': address,
  };
}

/** Returns the name on one line and without links, which it could bring into a message; null without a visible character. */
function plainName(name: string | null): string | null {
  const plain = withoutLinks(cutText(plainText(name ?? ''), NAME_MAX));
  return plain === '' ? null : plain;
}
