import { z } from 'zod';
import type { Token, TokenMetadata } from './model.ts';
import { listedAt } from './order.ts';
import { searchText, searchWords } from './text/search.ts';
import { baseUnitsToTokens } from './units.ts';

/** Figures that a list can be limited to a range of, in the order of the filter drawer. */
export const rangeFields = [
  'age',
  'marketCap',
  'marketCapSol',
  'highestCap',
  'highestCapSol',
  'liquidity',
  'volume',
  'buys',
  'sells',
  'holders',
  'curve',
  'risk',
  'checks',
  'developer',
  'topTen',
  'insiders',
  'bundle',
  'launches',
] as const;
export const rangeFieldSchema = z.enum(rangeFields);
export type RangeField = z.infer<typeof rangeFieldSchema>;

/** Lowest and highest accepted figure, bounds included; null: no bound. */
export interface Range {
  min: number | null;
  max: number | null;
}
export type Ranges = Partial<Record<RangeField, Range>>;

/** Greatest accepted bound: above every market cap and age. */
const BOUND_MAX = 1e15;
/** Longest text of ranges, words and sources in a list's address, characters. */
const PART_MAX = 500;
/** Words of one list, at most. */
const WORDS_MAX = 20;

const NUMBER = String.raw`\d{1,16}(?:\.\d{1,9})?`;
const RANGE = new RegExp(`^([A-Za-z]{1,20}):(${NUMBER})?-(${NUMBER})?$`);

/** Returns the ranges of `age:60-600,liquidity:5-,topTen:-30`, and the parts that mean nothing here: an unknown field, a wrong bound, a field named twice. */
export function parseRanges(text: string): { ranges: Ranges; ignored: string[] } {
  const ranges: Ranges = {};
  const ignored: string[] = [];
  for (const part of text.split(',').filter((one) => one.trim() !== '')) {
    const [, name, low, high] = RANGE.exec(part.trim()) ?? [];
    const field = rangeFieldSchema.safeParse(name);
    const range = { min: bound(low), max: bound(high) };
    if (!field.success || ranges[field.data] !== undefined || !isRange(range)) ignored.push(part.trim());
    else ranges[field.data] = range;
  }
  return { ranges, ignored };
}

function bound(text: string | undefined): number | null {
  return text === undefined ? null : Number(text);
}

/** Returns whether a range has a bound, and its bounds are in order and not too large. */
export function isRange({ min, max }: Range): boolean {
  if (min === null && max === null) return false;
  if ((min ?? 0) > BOUND_MAX || (max ?? 0) > BOUND_MAX) return false;
  return min === null || max === null || min <= max;
}

/** Returns the text of ranges, in the order of the fields, so that equal ranges have one text. */
export function formatRanges(ranges: Ranges): string {
  return rangeFields
    .flatMap((field) => {
      const range = ranges[field];
      return range === undefined ? [] : `${field}:${decimal(range.min)}-${decimal(range.max)}`;
    })
    .join(',');
}

/** Returns a bound without exponent. */
function decimal(value: number | null): string {
  if (value === null) return '';
  return Number.isInteger(value) ? String(value) : value.toFixed(9).replace(/0+$/, '').replace(/\.$/, '');
}

const rangesText = z
  .string()
  .min(1)
  .max(PART_MAX)
  .superRefine((text, ctx) => {
    for (const part of parseRanges(text).ignored) {
      ctx.addIssue({ code: 'custom', message: `has a part without meaning: ${part}` });
    }
  });

const wordsText = z
  .string()
  .trim()
  .min(1)
  .max(PART_MAX)
  .refine((text) => searchWords(text).length <= WORDS_MAX, `has more than ${WORDS_MAX} words`);

/** Limits of a list beyond its named filter and its search, as texts of the page's address. An absent one limits nothing. */
export const filterFields = {
  /** Ranges: `age:60-600,liquidity:5-,topTen:-30`. Age in seconds; money in SOL or US dollars and shares in percent, as the token has them. */
  f: rangesText.optional(),
  /** Words of which at least one is part of name or symbol. */
  include: wordsText.optional(),
  /** Words of which none is part of name or symbol. */
  exclude: wordsText.optional(),
  /** Launchpads and other origins, separated by commas; case counts. */
  source: z.string().trim().min(1).max(PART_MAX).optional(),
  /** Only coins on their curve, or only those that moved into a pool. */
  stage: z.enum(['curve', 'pool']).optional(),
  /** Leaves out copies of an older coin's symbol. */
  copies: z.literal('hide').optional(),
  /** Keeps tokens with an unknown figure; by default a range leaves them out. */
  unknown: z.literal('show').optional(),
} as const;
const filterSchema = z.strictObject(filterFields);
export type TokenFilter = z.infer<typeof filterSchema>;

/** A filter that is ready to be compared with tokens. */
export interface ParsedFilter {
  ranges: readonly (readonly [RangeField, Range])[];
  include: readonly string[];
  exclude: readonly string[];
  /** Null: every source. */
  sources: ReadonlySet<string> | null;
  stage: 'curve' | 'pool' | null;
  hidesCopies: boolean;
  showsUnknown: boolean;
}

/** Parses the texts of a filter once, for many tokens. */
export function parseFilter(filter: TokenFilter): ParsedFilter {
  const { f = '', include = '', exclude = '', source, stage = null, copies, unknown } = filter;
  const { ranges } = parseRanges(f);
  return {
    ranges: rangeFields.flatMap((field) => {
      const range = ranges[field];
      return range === undefined ? [] : [[field, range] as const];
    }),
    include: searchWords(include),
    exclude: searchWords(exclude),
    sources: source === undefined ? null : new Set(source.split(',').map((one) => one.trim())),
    stage,
    hidesCopies: copies === 'hide',
    showsUnknown: unknown === 'show',
  };
}

/** Result of a filter: `unknown` would match if the tokens with unknown figures were shown. */
export type FilterVerdict = 'match' | 'unknown' | 'no';

/** Returns whether a figure is within its range: null for an unknown one. */
function isWithin({ min, max }: Range, value: number | null): boolean | null {
  if (value === null) return null;
  return (min === null || value >= min) && (max === null || value <= max);
}

/** Token fields that filters read. */
export type FilteredToken = Pick<
  Token,
  | 'address'
  | 'name'
  | 'symbol'
  | 'copyOf'
  | 'twins'
  | 'stage'
  | 'createdAt'
  | 'detectedAt'
  | 'decimals'
  | 'totalSupply'
  | 'price'
  | 'highestPrice'
  | 'marketCap'
  | 'currentLiquidity'
  | 'volume'
  | 'holderCount'
  | 'scamProbability'
  | 'riskCoverage'
  | 'buys'
  | 'sells'
  | 'curveProgress'
  | 'developerShare'
  | 'insiderShare'
  | 'bundleShare'
  | 'topTenShare'
  | 'developerLaunches'
> & { metadata: Pick<TokenMetadata, 'source'> };

/** Present time (epoch ms) and dollars for 1 SOL, null while no rate is known. */
export interface FilterContext {
  now: number;
  solUsd: number | null;
}

/** Returns a token's figure of a field; null while unknown. */
export function figureOf(field: RangeField, token: FilteredToken, { now, solUsd }: FilterContext): number | null {
  switch (field) {
    case 'age':
      return (now - listedAt(token)) / 1_000;
    case 'marketCap':
      return token.marketCap;
    case 'marketCapSol':
      return capOf(token, token.price);
    case 'highestCap': {
      const cap = capOf(token, highestOf(token));
      return cap === null || solUsd === null ? null : cap * solUsd;
    }
    case 'highestCapSol':
      return capOf(token, highestOf(token));
    case 'liquidity':
      return token.currentLiquidity;
    case 'volume':
      return token.volume;
    case 'buys':
      return token.buys;
    case 'sells':
      return token.sells;
    case 'holders':
      return token.holderCount;
    case 'curve':
      return token.curveProgress;
    case 'risk':
      return token.scamProbability;
    case 'checks':
      return token.riskCoverage;
    case 'developer':
      return token.developerShare;
    case 'topTen':
      return token.topTenShare;
    case 'insiders':
      return token.insiderShare;
    case 'bundle':
      return token.bundleShare;
    case 'launches':
      return token.developerLaunches;
  }
}

/** Returns the market cap in SOL at a price; null while price or supply is unknown. */
function capOf({ decimals, totalSupply }: Pick<Token, 'decimals' | 'totalSupply'>, price: number | null) {
  if (price === null || decimals === null || totalSupply === null) return null;
  return price * baseUnitsToTokens(Number(totalSupply), decimals);
}

/** Returns the highest known price: the stored one rises in steps, so that the present one may be above it. */
function highestOf({ price, highestPrice }: Pick<Token, 'price' | 'highestPrice'>): number | null {
  if (highestPrice === null) return price;
  return price === null ? highestPrice : Math.max(price, highestPrice);
}

/** Returns whether an earlier coin of the day has the symbol or the name of a token. */
export function isLaterTwin(twins: Token['twins']): boolean {
  return twins !== null && twins[0] > 1;
}

/** Returns whether a token passes a filter. */
export function judgeFilter(filter: ParsedFilter, token: FilteredToken, context: FilterContext): FilterVerdict {
  if (filter.hidesCopies && (token.copyOf !== null || isLaterTwin(token.twins))) return 'no';
  if (filter.stage !== null && (filter.stage === 'pool') !== (token.stage === 'pool')) return 'no';
  if (filter.sources !== null && !filter.sources.has(token.metadata.source)) return 'no';
  if (!passesWords(filter, searchText(token.name, token.symbol, token.address))) return 'no';
  let verdict: FilterVerdict = 'match';
  for (const [field, range] of filter.ranges) {
    const within = isWithin(range, figureOf(field, token, context));
    if (within === false) return 'no';
    if (within === null) verdict = filter.showsUnknown ? verdict : 'unknown';
  }
  return verdict;
}

/** Returns whether name and symbol have one of the included words and none of the excluded ones. `text` is of `searchText`. */
export function passesWords({ include, exclude }: Pick<ParsedFilter, 'include' | 'exclude'>, text: string): boolean {
  const end = text.lastIndexOf('\n');
  const has = (word: string) => {
    const at = text.indexOf(word);
    return at >= 0 && at < end;
  };
  return (include.length === 0 || include.some(has)) && !exclude.some(has);
}
