import { z } from 'zod';
import { type Call, noInput, wholeNumberParam } from '../http.ts';
import { CANDLES_MAX, candleIntervalSchema, candlePageSchema } from './candles/model.ts';
import { filterFields, rangeFieldSchema } from './filters.ts';
import { listFilterSchema } from './lists.ts';
import { addressSchema, sampleSchema, tokenDetailSchema, tokenSchema, tokenStatsSchema, tradeSchema } from './model.ts';
import { figureCursorSchema, isCursorOf, newestCursorSchema, sortFieldSchema, sortOrderSchema } from './order.ts';
import { creatorRecordSchema } from './wallets/creator.ts';
import { holderSchema, labelledWalletSchema } from './wallets/model.ts';

/** Rows of a list without `?limit=`, and the greatest limit. */
export const LIST_LIMIT_DEFAULT = 200;
const LIST_LIMIT_MAX = 500;

const limit = wholeNumberParam(1, LIST_LIMIT_MAX).optional();
const limited = z.strictObject({ limit });
const tokenList = z.array(tokenSchema);
const byAddress = z.strictObject({ address: addressSchema });

/** Page of a list that is ordered newest first. */
const newestPage = z.strictObject({ limit, before: newestCursorSchema.optional() });

/** A time in epoch seconds. */
const epochSecondParam = z
  .string()
  .regex(/^\d{10}$/, 'must be a time in epoch seconds')
  .transform(Number);

/** Longest search, in characters. */
export const SEARCH_MAX = 100;

/** Filter, search and order of the list of all tokens; as on the page's address. */
export const listChoiceSchema = z.strictObject({
  /** Without it: all tokens. */
  filter: listFilterSchema.optional(),
  /** Words that are each part of the name, of the symbol or, from three characters on, of the address; ignores case. */
  q: z.string().trim().min(1).max(SEARCH_MAX).optional(),
  /** Default: detected. Unknown values come last in both orders. */
  sort: sortFieldSchema.optional(),
  /** Default: desc. */
  order: sortOrderSchema.optional(),
  ...filterFields,
});
export type ListChoice = z.infer<typeof listChoiceSchema>;

/** Bars of a histogram. */
export const FACET_BARS = 20;

/** How the tokens are spread over the figures of one field. */
const facetSchema = z.strictObject({
  /** Tokens whose figure is unknown. */
  unknown: z.int(),
  /** Bounds of the bars, one more than there are bars, rising; empty while no figure is known. */
  bounds: z.array(z.number()).max(FACET_BARS + 1),
  /** Tokens of each bar: a figure on a bound belongs to the bar above it, the highest one to the last bar. */
  bars: z.array(z.int()).max(FACET_BARS),
});
export type Facet = z.infer<typeof facetSchema>;

/** Counts beside a filter. Each field is counted over the tokens that pass all other limits. */
export const facetsSchema = z.strictObject({
  /** All tokens. */
  total: z.int(),
  matching: z.int(),
  /** Tokens left out for an unknown figure alone. */
  hidden: z.int(),
  /** Tokens detected in the last ten minutes that match now. */
  recent: z.int(),
  /** Fields without a known figure are absent. */
  fields: z.partialRecord(rangeFieldSchema, facetSchema),
  sources: z.array(z.strictObject({ source: z.string(), count: z.int() })),
});
export type Facets = z.infer<typeof facetsSchema>;

/** Chart spans: full samples for 10 minutes, one a minute for 8 hours, one an hour beyond. */
export const sampleRangeSchema = z.enum(['10m', '1h', '8h', 'all']);
export type SampleRange = z.infer<typeof sampleRangeSchema>;

/**
 * Every list sends X-Total-Count, the number of all matches, and X-Next-Cursor, the `before` of the next page; without the
 * latter the page is the last one.
 */
export const tokenCalls = {
  list: {
    ...noInput,
    summary: 'All tokens, newest first unless sorted otherwise.',
    method: 'GET',
    path: '/api/tokens',
    access: 'user',
    query: listChoiceSchema
      .extend({ limit, before: z.union([newestCursorSchema, figureCursorSchema]).optional() })
      .refine(({ before, sort = 'detected' }) => before === undefined || isCursorOf(before, sort), {
        path: ['before'],
        message: 'is not a cursor of this list',
      }),
    output: tokenList,
  },
  facets: {
    ...noInput,
    summary:
      'Counts of the tokens that a filter lets through, and how the tokens within its other limits are spread over each field.',
    method: 'GET',
    path: '/api/tokens/facets',
    access: 'user',
    query: listChoiceSchema.omit({ sort: true, order: true }),
    output: facetsSchema,
  },
  new: {
    ...noInput,
    summary: 'Tokens created within the last hour, newest first.',
    method: 'GET',
    path: '/api/tokens/new',
    access: 'user',
    query: newestPage,
    output: tokenList,
  },
  runners: {
    ...noInput,
    summary: 'Runner tokens, newest first.',
    method: 'GET',
    path: '/api/tokens/potential-runners',
    access: 'user',
    query: newestPage,
    output: tokenList,
  },
  mightRun: {
    ...noInput,
    summary: 'Might-run tokens, newest first: an array, or `{ tokens }` with `?envelope=1`.',
    method: 'GET',
    path: '/api/tokens/might-run',
    access: 'user',
    query: newestPage.extend({ envelope: z.enum(['0', '1']).optional() }),
    output: z.union([tokenList, z.strictObject({ tokens: tokenList })]),
  },
  earlyLiquidity: {
    ...noInput,
    summary: 'Tokens of the last 8 h, most initial liquidity first.',
    method: 'GET',
    path: '/api/tokens/early-liquidity',
    access: 'user',
    query: z.strictObject({ limit, before: figureCursorSchema.optional() }),
    output: tokenList,
  },
  stats: {
    ...noInput,
    summary: 'Totals of tokens, and the SOL/USD rate.',
    method: 'GET',
    path: '/api/tokens/stats',
    access: 'user',
    output: tokenStatsSchema,
  },
  detail: {
    ...noInput,
    summary: 'One token with the factors of its risk.',
    errors: ['token-not-found'],
    method: 'GET',
    path: '/api/tokens/address/{address}',
    access: 'user',
    params: byAddress,
    output: tokenDetailSchema,
  },
  samples: {
    ...noInput,
    summary: 'Chart points of a token, oldest first.',
    errors: ['token-not-found'],
    method: 'GET',
    path: '/api/tokens/address/{address}/samples',
    access: 'user',
    params: byAddress,
    query: z.strictObject({ range: sampleRangeSchema.optional() }),
    output: z.array(sampleSchema),
  },
  candles: {
    ...noInput,
    summary:
      'Candles of a token, the newest 1,000 unless asked otherwise, oldest first; `next` is the `before` of the older page.',
    errors: ['token-not-found'],
    method: 'GET',
    path: '/api/tokens/address/{address}/candles',
    access: 'user',
    params: byAddress,
    query: z.strictObject({
      /** Default: 1m. */
      interval: candleIntervalSchema.optional(),
      before: epochSecondParam.optional(),
      limit: wholeNumberParam(1, CANDLES_MAX).optional(),
    }),
    output: candlePageSchema,
  },
  trades: {
    ...noInput,
    summary: 'Latest trades, newest first.',
    errors: ['token-not-found'],
    method: 'GET',
    path: '/api/tokens/address/{address}/trades',
    access: 'user',
    params: byAddress,
    query: limited,
    output: z.array(tradeSchema),
  },
  holders: {
    ...noInput,
    summary: 'The largest wallets, largest first, at most 20.',
    errors: ['token-not-found'],
    method: 'GET',
    path: '/api/tokens/address/{address}/holders',
    access: 'user',
    params: byAddress,
    output: z.array(holderSchema),
  },
  wallets: {
    ...noInput,
    summary:
      'Wallets of a token that stand out, each with its labels: developer, insiders, the first buyers and the largest holders.',
    errors: ['token-not-found'],
    method: 'GET',
    path: '/api/tokens/address/{address}/wallets',
    access: 'user',
    params: byAddress,
    output: z.array(labelledWalletSchema),
  },
  creator: {
    ...noInput,
    summary: 'The other coins that the creator of a token launched in the last 30 days, and what became of them.',
    errors: ['token-not-found'],
    method: 'GET',
    path: '/api/tokens/address/{address}/creator',
    access: 'user',
    params: byAddress,
    output: creatorRecordSchema,
  },
} satisfies Record<string, Call>;
