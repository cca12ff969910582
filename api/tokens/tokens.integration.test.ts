import { beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { HOUR, MINUTE } from '../../common/time.ts';
import { facetsSchema } from '../../common/tokens/http.ts';
import {
  sampleSchema,
  tokenDetailSchema,
  tokenSchema,
  tokenStatsSchema,
  tradeSchema,
} from '../../common/tokens/model.ts';
import { holderSchema } from '../../common/tokens/wallets/model.ts';
import { testServer } from '../test-server.ts';
import { addressNumber, sampleRecord, tokenRecord, tradeRecord } from '../testing/tokens.ts';
import { tokenModels } from './model.ts';

const now = Date.now();
const tokensSchema = z.array(tokenSchema);

let cookie: string;

/** Numbers of the tokens that trade in a pool. */
const inPool = [35, 37, 39];

/** Forty tokens, half an hour apart, newest first; number 0 is five minutes old. */
const stored = Array.from({ length: 40 }, (_, number) =>
  tokenRecord(number, {
    createdAt: now - 5 * MINUTE - number * 30 * MINUTE,
    initialLiquidityLamports: ((number * 7) % 40) * 1_000_000_000,
    liquidityLamports: ((number * 11) % 40) * 1_000_000_000,
    riskScore: number * 2,
    runner: number === 0,
    mightRun: number === 2 || number === 3,
    stage: inPool.includes(number) ? 'pool' : 'curve',
    // The oldest one migrated last; the time of the first one is unknown.
    migratedAt: inPool.indexOf(number) > 0 ? now + (number - 50) * MINUTE : null,
  }),
);

/** Three tokens of the same millisecond, which a cursor must separate. */
const triple = [50, 51, 52].map((number) =>
  tokenRecord(number, { createdAt: now - 100 * HOUR, name: 'Coined Triple', liquidityLamports: null }),
);

const server = await testServer();
beforeAll(async () => {
  await server.storeTokens([...stored, ...triple]);
  cookie = await server.register('Trader');
  const models = tokenModels(server.connection);
  await models.trades.insertMany(
    Array.from({ length: 30 }, (_, number) => tradeRecord(addressNumber(0), number, new Date(now - number * 1000))),
  );
  await models.samples.insertMany([
    sampleRecord(addressNumber(0), 'full', new Date(now - 4 * MINUTE)),
    sampleRecord(addressNumber(0), 'minute', new Date(now - 4 * MINUTE)),
    sampleRecord(addressNumber(0), 'minute', new Date(now - 90 * MINUTE)),
    sampleRecord(addressNumber(39), 'hour', new Date(now - 12 * HOUR)),
    sampleRecord(addressNumber(39), 'hour', new Date(now - 13 * HOUR)),
  ]);
});

const get = (path: string, headers: Record<string, string> = {}) => server.fetchJson(path, { cookie, headers });
async function addresses(path: string): Promise<string[]> {
  const { status, body } = await get(path);
  expect(status).toBe(200);
  return tokensSchema.parse(body).map(({ address }) => address);
}
const numbers = (...wanted: number[]) => wanted.map(addressNumber);

const paths = [
  '/api/tokens',
  '/api/tokens/new',
  '/api/tokens/potential-runners',
  '/api/tokens/might-run',
  '/api/tokens/early-liquidity',
  '/api/tokens/stats',
  '/api/tokens/facets',
  `/api/tokens/address/${addressNumber(0)}`,
  `/api/tokens/address/${addressNumber(0)}/samples`,
  `/api/tokens/address/${addressNumber(0)}/candles`,
  `/api/tokens/address/${addressNumber(0)}/trades`,
  `/api/tokens/address/${addressNumber(0)}/holders`,
];

test.each(paths)('GET %s rejects a caller who is not signed in [S6-01]', async (path) => {
  const reply = await server.fetchJson(path);
  expect(reply.status).toBe(401);
  expect(reply.body).toEqual({ error: 'Please log in to continue.', code: 'unauthenticated' });
});

test.each(paths)('GET %s rejects an unknown query parameter by name', async (path) => {
  const reply = await get(`${path}?colour=red`);
  expect(reply).toMatchObject({ status: 400, body: { code: 'invalid-input', details: { colour: ['is not known'] } } });
});

test('lists newest first, with the total in a header [S7.1-05]', async () => {
  const reply = await get('/api/tokens?limit=5');
  const tokens = tokensSchema.parse(reply.body);
  expect(tokens.map(({ address }) => address)).toEqual(numbers(0, 1, 2, 3, 4));
  expect(reply.headers.get('X-Total-Count')).toBe('43');
});

/** Follows the cursors of a list to its end. */
async function wholeList(path: string): Promise<string[]> {
  const seen: string[] = [];
  for (let before = ''; ; ) {
    const { body, headers } = await get(`${path}${path.includes('?') ? '&' : '?'}limit=7${before}`);
    seen.push(...tokensSchema.parse(body).map(({ address }) => address));
    const next = headers.get('X-Next-Cursor');
    if (next === null) return seen;
    before = `&before=${encodeURIComponent(next)}`;
  }
}

test.each([
  ['/api/tokens', 43],
  ['/api/tokens?sort=liquidity', 43],
  ['/api/tokens?sort=risk&order=asc', 43],
  ['/api/tokens?q=triple&sort=price', 3],
  ['/api/tokens?filter=safe', 15],
  ['/api/tokens/new', 2],
  ['/api/tokens/potential-runners', 1],
  ['/api/tokens/might-run', 2],
  ['/api/tokens/early-liquidity', 16],
])('%s: the pages have every token once, and the total counts them [S7.1-05]', async (path, count) => {
  const seen = await wholeList(path);
  expect(seen).toHaveLength(count);
  expect(new Set(seen).size).toBe(count);
  expect((await get(`${path}${path.includes('?') ? '&' : '?'}limit=1`)).headers.get('X-Total-Count')).toBe(`${count}`);
});

test('sorts all tokens by a figure, unknown ones last in both orders', async () => {
  const liquidity = async (order: string) => {
    const { body } = await get(`/api/tokens?sort=liquidity&order=${order}&limit=500`);
    return tokensSchema.parse(body).map(({ currentLiquidity }) => currentLiquidity);
  };
  const known = Array.from({ length: 40 }, (_, place) => place);
  expect(await liquidity('asc')).toEqual([...known, null, null, null]);
  expect(await liquidity('desc')).toEqual([...known.toReversed(), null, null, null]);
});

test('lists the coins in a pool by the time of their migration, unknown times last', async () => {
  expect(await addresses('/api/tokens?stage=pool&sort=migrated')).toEqual(numbers(...inPool.toReversed()));
  expect(await wholeList('/api/tokens?sort=migrated')).toHaveLength(43);
});

test('filters all tokens, by itself and with a search', async () => {
  expect(await addresses('/api/tokens?filter=new')).toEqual(numbers(0, 1));
  expect(await addresses('/api/tokens?filter=might-run')).toEqual(numbers(2, 3));
  expect(await addresses('/api/tokens?filter=risky')).toHaveLength(14);
  expect(await addresses('/api/tokens?filter=risky&q=coin%2039')).toEqual(numbers(39));
  expect(await addresses('/api/tokens?filter=safe&q=coin%2039')).toEqual([]);
});

test('limits all tokens by ranges, words and origin, with true totals, and counts them', async () => {
  const limits = 'f=liquidity:10-20&include=coin&exclude=triple&source=pump.fun&stage=curve&copies=hide';
  const reply = await get(`/api/tokens?${limits}&sort=liquidity&order=asc&limit=3`);
  expect(tokensSchema.parse(reply.body).map(({ currentLiquidity }) => currentLiquidity)).toEqual([10, 11, 12]);
  expect(reply.headers.get('X-Total-Count')).toBe('11');
  expect(reply.headers.get('X-Feed-Seq')).toBe('0');
  expect(await addresses('/api/tokens?f=liquidity:1-&include=triple')).toEqual([]);
  expect(await addresses('/api/tokens?f=liquidity:1-&include=triple&unknown=show')).toHaveLength(3);
  const { status, body } = await get(`/api/tokens/facets?f=liquidity:10-20`);
  expect(status).toBe(200);
  const facets = facetsSchema.parse(body);
  expect(facets).toMatchObject({ total: 43, matching: 11, hidden: 3, recent: 0 });
  expect(facets.sources).toEqual([{ source: 'pump.fun', count: 11 }]);
  expect(facets.fields.liquidity?.unknown).toBe(3);
});

test.each([
  ['limit=0', 'limit'],
  ['limit=501', 'limit'],
  ['limit=ten', 'limit'],
  ['limit=1&limit=2', 'limit'],
  ['before=yesterday', 'before'],
  ['sort=name', 'sort'],
  ['order=up', 'order'],
  ['filter=All', 'filter'],
  ['f=age', 'f'],
  ['f=colour:1-2', 'f'],
  ['stage=moon', 'stage'],
  ['copies=show', 'copies'],
  [`sort=price&before=1_${addressNumber(1)}`, 'before'],
  [`before=2.5_1_${addressNumber(1)}`, 'before'],
  ['q=', 'q'],
  ['q[$gt]=', 'q[$gt]'],
])('rejects ?%s by name [S7.1-05]', async (query, field) => {
  const reply = await get(`/api/tokens?${query}`);
  expect(reply).toMatchObject({ status: 400, body: { code: 'invalid-input' } });
  expect(reply.body).toHaveProperty(['details', field]);
});

test('?q= finds parts of name, symbol and address, ignoring case', async () => {
  expect(await addresses('/api/tokens?q=coin&limit=500')).toHaveLength(43);
  expect(await addresses('/api/tokens?q=oined%20riP')).toEqual(numbers(52, 51, 50));
  expect(await addresses('/api/tokens?q=C17')).toEqual(numbers(17));
  expect(await addresses('/api/tokens?q=COIN%2017')).toEqual(numbers(17));
  expect(await addresses(`/api/tokens?q=${addressNumber(5)}`)).toEqual(numbers(5));
  expect(await addresses(`/api/tokens?q=${addressNumber(5).slice(-4)}`)).toEqual(numbers(5));
  const counted = await get('/api/tokens?q=c1&limit=2');
  expect([tokensSchema.parse(counted.body).length, counted.headers.get('X-Total-Count')]).toEqual([2, '11']);
});

test.each(['.*', '^c', '(', '[a-z]', '\\', '$gt', '%00', '%25', '\u{10ffff}'])(
  '?q=%s is text, not a pattern',
  async (q) => {
    expect(await addresses(`/api/tokens?q=${q === '%00' ? q : encodeURIComponent(q)}`)).toEqual([]);
  },
);

test('new tokens are at most one hour old [S7.1-06]', async () => {
  expect(await addresses('/api/tokens/new')).toEqual(numbers(0, 1));
});

test('lists the runner tokens [S7.1-07]', async () => {
  expect(await addresses('/api/tokens/potential-runners')).toEqual(numbers(0));
});

test('might-run returns an array, or an envelope on request [S7.1-08]', async () => {
  const plain = await get('/api/tokens/might-run');
  expect(tokensSchema.parse(plain.body).map(({ address }) => address)).toEqual(numbers(2, 3));
  expect((await get('/api/tokens/might-run?envelope=1')).body).toEqual({ tokens: plain.body });
  expect((await get('/api/tokens/might-run?envelope=0')).body).toEqual(plain.body);
  expect((await get('/api/tokens/might-run?envelope=2')).status).toBe(400);
});

test('early liquidity lists the last 8 hours, most initial liquidity first [S7.1-09]', async () => {
  const expected = stored
    .filter(({ listedAt }) => listedAt >= now - 8 * HOUR)
    .toSorted((a, b) => (b.initialLiquidityLamports ?? 0) - (a.initialLiquidityLamports ?? 0))
    .map(({ _id }) => _id);
  expect(expected.length).toBeGreaterThan(10);
  expect(await addresses('/api/tokens/early-liquidity')).toEqual(expected);
  expect(await addresses('/api/tokens/early-liquidity?limit=3')).toEqual(expected.slice(0, 3));
});

test('the stats count all tokens, the last hour in five-minute spans, and the two lists', async () => {
  const stats = tokenStatsSchema.parse((await get('/api/tokens/stats')).body);
  expect(stats).toMatchObject({ total: 43, newLastHour: 2, runners: 1, mightRun: 2, simulated: false, solUsd: null });
  expect(stats.launches.reduce((sum, count) => sum + count, 0)).toBe(2);
});

test('returns the detail of a token in the form of its contract [S7.1-10]', async () => {
  const reply = await get(`/api/tokens/address/${addressNumber(3)}`);
  expect(tokenDetailSchema.parse(reply.body)).toMatchObject({
    address: addressNumber(3),
    name: 'Coin 3',
    mightRun: true,
  });
});

test.each(['', '/samples', '/candles', '/trades', '/holders', '/wallets', '/creator'])(
  'an unknown address gives 404 (…%s) [S7.1-10]',
  async (rest) => {
    const reply = await get(`/api/tokens/address/${addressNumber(999)}${rest}`);
    expect(reply).toMatchObject({
      status: 404,
      body: { error: 'No token with this address is known.', code: 'token-not-found' },
    });
  },
);

test.each(['abc', '0'.repeat(40), 'I'.repeat(40), '1'.repeat(45), '..%2f..', '%00', '__proto__', '{"$gt":""}'])(
  'rejects the malformed address %s [S7.1-10]',
  async (address) => {
    for (const rest of ['', '/samples', '/candles', '/trades', '/holders', '/wallets', '/creator']) {
      const reply = await get(
        `/api/tokens/address/${address.startsWith('%') || address.includes('%') ? address : encodeURIComponent(address)}${rest}`,
      );
      expect(reply).toMatchObject({ status: 400, body: { code: 'invalid-input' } });
      expect(reply.body).toHaveProperty('details.address');
    }
  },
);

test('samples come oldest first and cover the requested range', async () => {
  const samples = async (number: number, range: string) => {
    const { body } = await get(`/api/tokens/address/${addressNumber(number)}/samples${range}`);
    return z
      .array(sampleSchema)
      .parse(body)
      .map(({ at }) => Math.round((now - Date.parse(at)) / MINUTE));
  };
  expect(await samples(0, '?range=10m')).toEqual([4]);
  expect(await samples(0, '?range=1h')).toEqual([4]);
  expect(await samples(0, '')).toEqual([4]);
  expect(await samples(0, '?range=8h')).toEqual([90, 4]);
  expect(await samples(0, '?range=all')).toEqual([90, 4]);
  expect(await samples(39, '?range=all')).toEqual([13 * 60, 12 * 60]);
  expect((await get(`/api/tokens/address/${addressNumber(0)}/samples?range=2h`)).status).toBe(400);
});

test('trades come newest first', async () => {
  const { body } = await get(`/api/tokens/address/${addressNumber(0)}/trades?limit=3`);
  const trades = z.array(tradeSchema).parse(body);
  expect(trades.map(({ id }) => id)).toEqual(['signature0:0', 'signature1:0', 'signature2:0']);
});

test('holders carry their share of the supply', async () => {
  const { body } = await get(`/api/tokens/address/${addressNumber(0)}/holders`);
  const holders = z.array(holderSchema).parse(body);
  expect(holders).toMatchObject([
    { wallet: addressNumber(2_000_000), tokens: 5, share: 5e-7, isCreator: false, labels: ['top-10'], bought: null },
  ]);
});

test('every list carries its feed position [F3]', async () => {
  const { feed } = z.object({ feed: z.object({ epoch: z.string() }) }).parse((await get('/api/health')).body);
  for (const path of paths.slice(0, 5)) {
    const { headers } = await get(path);
    expect(headers.get('X-Feed-Epoch')).toBe(feed.epoch);
    expect(headers.get('X-Feed-Seq')).toMatch(/^\d+$/);
  }
});

test('an unchanged list gives 304 with its feed headers', async () => {
  const first = await get('/api/tokens');
  const etag = first.headers.get('ETag') ?? '';
  expect(etag).toMatch(/^W\/"/);
  const second = await get('/api/tokens', { 'If-None-Match': etag });
  expect([second.status, second.body]).toEqual([304, null]);
  expect(second.headers.get('X-Feed-Seq')).toBe(first.headers.get('X-Feed-Seq'));
  expect(second.headers.get('X-Total-Count')).toBe('43');
});

test('compresses lists for clients that accept it', async () => {
  const reply = await get('/api/tokens', { 'Accept-Encoding': 'gzip' });
  expect(reply.headers.get('Content-Encoding')).toBe('gzip');
  expect(reply.headers.get('Vary')).toContain('Accept-Encoding');
});
