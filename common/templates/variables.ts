import { DAY, HOUR, MINUTE } from '../time.ts';
import type { Token } from '../tokens/model.ts';
import { cutText, plainText, withoutLinks } from '../tokens/plain-text.ts';

/** Variables of templates with their descriptions. */
export const templateVariables = [
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
export type TemplateVariable = (typeof templateVariables)[number]['name'];

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
export function tokenVariables(token: TemplateToken, now: number): Record<TemplateVariable, string> {
  return {
    'token.name': plainName(token.name) ?? UNKNOWN_NAME,
    'token.symbol': plainName(token.symbol) ?? UNKNOWN,
    'token.address': token.address,
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

/** Returns the name on one line and without links, which it could bring into a message; null without a visible character. */
function plainName(name: string | null): string | null {
  const plain = withoutLinks(cutText(plainText(name ?? ''), NAME_MAX));
  return plain === '' ? null : plain;
}
