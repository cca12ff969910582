import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createMentions, type Mention, mintAddresses } from './mentions.ts';
import { socialQuery } from './scanner.ts';
import { readResponse } from './search.ts';

const SLB = '97QUsKyZ1tDbBkWzowCixaZHPfMHz3ME8LQzwa9Upump';
const BONK = 'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263';

function fixture(name: string) {
  return JSON.parse(readFileSync(path.join(import.meta.dirname, 'fixtures', name), 'utf8'));
}

describe('addresses in posts', () => {
  test('are found anywhere, each once', () => {
    expect(mintAddresses(`CA:${SLB}\n(${BONK}), ${SLB}!`)).toEqual([SLB, BONK]);
  });

  test('are found in links to sites with the mint in the URL', () => {
    const links = [`https://pump.fun/coin/${SLB}`, `https://dexscreener.com/solana/${BONK}`, 'not a link'];
    expect(mintAddresses('look https://t.co/abc', links)).toEqual([SLB]);
  });

  test('exclude signatures, words and quote mints', () => {
    const signature = '4LhzBq8yMuww4fPUuyHccjBUbzVHzS6EqxD3PYELMtbMPGzPsAUXBNbuFWyBmkx97UJT7FcLy6Fb31dyfARNhgHc';
    const texts = [
      signature,
      'So11111111111111111111111111111111111111112',
      `${SLB}0`,
      'zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz',
    ];
    for (const text of texts) expect(mintAddresses(text)).toEqual([]);
  });
});

describe('mentions', () => {
  const mention = (address: string, at: number): Mention => ({ address, account: 'a', postId: '1', at });

  test('count for a day', () => {
    const mentions = createMentions();
    mentions.add(mention(SLB, 0));
    mentions.add(mention(SLB, 3_600_000));
    mentions.add(mention(BONK, 3_600_000));
    expect(mentions.of(SLB, 3_600_000)).toEqual({ address: SLB, posts: 2, lastAt: 3_600_000 });
    expect(mentions.newest(1, 3_600_000)).toEqual([mention(BONK, 3_600_000)]);
    expect(mentions.of(SLB, 86_400_000)?.posts).toBe(1);
    expect(mentions.of(SLB, 90_000_000)).toBeNull();
  });

  test('are never more than a thousand', () => {
    const mentions = createMentions();
    for (let at = 0; at < 2_500; at += 1) mentions.add(mention(SLB, at));
    expect(mentions.of(SLB, 2_500)?.posts).toBe(1_000);
  });
});

describe('responses of recent search', () => {
  const none = new Headers();

  test('a page with its authors', () => {
    const response = readResponse(200, none, fixture('recent_search_token.json'));
    expect(response).toMatchObject({ kind: 'page', malformed: 0, spentUntil: null });
    expect(response).toHaveProperty('nextToken', 'b26v89c19zqg8o3fo7gesq314yb9l2l4ptqy');
    expect(response.kind === 'page' && response.posts.map(({ id, account }) => [id, account])).toEqual([
      ['2082800000000000900', 'trench_caller'],
      ['2082800000000000500', 'fresh_account_77'],
      ['2082800000000000100', 'newpairs_bot'],
    ]);
    expect(readResponse(200, none, fixture('recent_search_docs_example.json'))).toMatchObject({
      posts: [{ account: 'pythondev', at: Date.parse('2024-01-15T10:30:00Z') }],
    });
  });

  test('a page without posts has no `data`', () => {
    expect(readResponse(200, none, fixture('recent_search_no_results.json'))).toMatchObject({
      kind: 'page',
      posts: [],
    });
  });

  test('a post of the wrong shape is skipped and counted', () => {
    const { data, ...rest } = fixture('recent_search_token.json');
    const response = readResponse(200, none, { ...rest, data: [...data, { id: 5, text: null }, 'x'] });
    expect(response).toMatchObject({ kind: 'page', malformed: 2 });
  });

  test('a page without calls left', () => {
    const headers = new Headers({ 'x-rate-limit-remaining': '0', 'x-rate-limit-reset': '1785413700' });
    expect(readResponse(200, headers, fixture('recent_search_no_results.json'))).toMatchObject({
      spentUntil: 1_785_413_700_000,
    });
  });

  test('error samples', () => {
    const samples: { status: number; headers?: Record<string, string>; body: unknown }[] = fixture('errors.json');
    const responses = samples.map(({ status, headers, body }) =>
      readResponse(status, new Headers(headers ?? {}), body),
    );
    expect(responses).toEqual([
      { kind: 'invalid' },
      { kind: 'refused', status: 401 },
      { kind: 'refused', status: 403 },
      { kind: 'limited', until: 1_785_413_700_000 },
      { kind: 'capped' },
    ]);
  });

  test('throws for no response', () => {
    const bodies = fc.oneof(
      fc.jsonValue(),
      fc.record({ meta: fc.constant({}), data: fc.array(fc.jsonValue()), includes: fc.jsonValue() }),
    );
    fc.assert(
      fc.property(fc.constantFrom(200, 204, 400, 429, 500), bodies, (status, body) => {
        expect(readResponse(status, none, body).kind).toBeDefined();
      }),
    );
  });
});

test('the query fits the most accounts', () => {
  const accounts = Array.from({ length: 20 }, () => 'a'.repeat(15));
  expect(socialQuery(accounts).length).toBeLessThanOrEqual(512);
  expect(socialQuery(['solana', 'bonk_inu'])).toBe('(from:solana OR from:bonk_inu) -is:retweet');
});
