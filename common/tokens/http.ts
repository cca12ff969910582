import { z } from 'zod';
import { type Call, noInput, wholeNumberParam } from '../http.ts';
import {
  addressSchema,
  holderSchema,
  sampleSchema,
  tokenDetailSchema,
  tokenSchema,
  tokenStatsSchema,
  tradeSchema,
} from './model.ts';

/** Rows of a list without `?limit=`, and the greatest limit. */
export const LIST_LIMIT_DEFAULT = 200;
export const LIST_LIMIT_MAX = 500;

const limit = wholeNumberParam(1, LIST_LIMIT_MAX).optional();
const limited = z.strictObject({ limit });
const tokenList = z.array(tokenSchema);
const byAddress = z.strictObject({ address: addressSchema });

/** A position in the newest-first order: `<creation or detection, epoch ms>_<address>` of the last row. */
export const listCursorSchema = z
  .string()
  .regex(/^\d{1,15}_[1-9A-HJ-NP-Za-km-z]{32,44}$/, 'is not a cursor of this list');

/** Chart spans: full samples for 10 minutes, one a minute for 8 hours, one an hour beyond. */
export const sampleRangeSchema = z.enum(['10m', '1h', '8h', 'all']);
export type SampleRange = z.infer<typeof sampleRangeSchema>;

export const tokenCalls = {
  list: {
    ...noInput,
    summary: 'All tokens, newest first. Header X-Total-Count: number of all matches.',
    errors: ['search-too-broad'],
    method: 'GET',
    path: '/api/tokens',
    access: 'user',
    query: z.strictObject({
      limit,
      before: listCursorSchema.optional(),
      /** Case-insensitive start of a word of the name, of the symbol or of the address. */
      q: z.string().trim().min(1).max(100).optional(),
    }),
    output: tokenList,
  },
  new: {
    ...noInput,
    summary: 'Tokens created within the last hour, newest first.',
    method: 'GET',
    path: '/api/tokens/new',
    access: 'user',
    query: limited,
    output: tokenList,
  },
  runners: {
    ...noInput,
    summary: 'Runner tokens, newest first.',
    method: 'GET',
    path: '/api/tokens/potential-runners',
    access: 'user',
    query: limited,
    output: tokenList,
  },
  mightRun: {
    ...noInput,
    summary: 'Might-run tokens, newest first: an array, or `{ tokens }` with `?envelope=1`.',
    method: 'GET',
    path: '/api/tokens/might-run',
    access: 'user',
    query: limited.extend({ envelope: z.enum(['0', '1']).optional() }),
    output: z.union([tokenList, z.strictObject({ tokens: tokenList })]),
  },
  earlyLiquidity: {
    ...noInput,
    summary: 'Tokens of the last 8 h, most initial liquidity first.',
    method: 'GET',
    path: '/api/tokens/early-liquidity',
    access: 'user',
    query: limited,
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
} satisfies Record<string, Call>;
