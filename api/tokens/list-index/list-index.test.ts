import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HOUR, MINUTE } from '../../../common/time.ts';
import { passesFilter } from '../../../common/tokens/lists.ts';
import type { Token, TokenPatch } from '../../../common/tokens/model.ts';
import { compareRanks, rankOf, sortFieldSchema } from '../../../common/tokens/order.ts';
import { applyPatch, diffToken } from '../../../common/tokens/patch.ts';
import { matchesSearch, searchText, searchWords } from '../../../common/tokens/text/search.ts';
import { addressNumber, tokenRecord } from '../../testing/tokens.ts';
import { presentIndexed, presentToken } from '../present.ts';
import { createListIndex, type ListIndex } from './list-index.ts';
import { indexAfter } from './testing/index-after.ts';

const NOW = 1_770_000_000_000;
const CONTEXT = { now: NOW, solUsd: 150 };
const figure = fc.option(fc.integer({ min: 0, max: 4 }));

/** Tokens of few addresses and few figures, so that equal ones and replaced ones are common. */
const tokenArbitrary = fc
  .record({
    number: fc.integer({ min: 0, max: 30 }),
    age: fc.integer({ min: 0, max: 5 }),
    price: figure,
    currentLiquidity: figure,
    marketCap: figure,
    volume: figure,
    holderCount: figure,
    scamProbability: fc.option(fc.constantFrom(0, 29, 30, 50, 51, 100)),
    runner: fc.boolean(),
    mightRun: fc.boolean(),
    isDated: fc.boolean(),
    migratedAt: fc.option(fc.integer({ min: 0, max: 4 }).map((age) => new Date(NOW - age * MINUTE).toISOString())),
    name: fc.option(fc.constantFrom('Moon Otter', 'Based Frog', 'moon')),
  })
  .map(({ number, age, isDated, ...fields }): Token => {
    const record = presentToken(tokenRecord(number, { createdAt: NOW - age * 20 * MINUTE }));
    return { ...record, ...fields, createdAt: isDated ? record.createdAt : null };
  });

const query = fc.record({
  filter: fc.option(fc.constantFrom('new', 'runners', 'might-run', 'risky', 'safe'), { nil: undefined }),
  q: fc.option(fc.constantFrom('moon', 'o f', 'mint1', 'nothing'), { nil: undefined }),
  sort: fc.constantFrom(...sortFieldSchema.options),
  order: fc.constantFrom('asc', 'desc'),
  limit: fc.integer({ min: 1, max: 7 }),
});

function pages(index: ListIndex, given: Omit<Parameters<ListIndex['page']>[0], 'before'>) {
  const addresses: string[] = [];
  const totals = new Set<number>();
  for (let before: string | undefined; ; ) {
    const page = index.page({ ...given, before }, CONTEXT);
    addresses.push(...page.addresses);
    totals.add(page.total);
    if (page.next === null) return { addresses, totals: [...totals] };
    before = page.next;
  }
}

const AT_150 = { at: NOW, solUsd: 150 };

/** Returns the tokens as states of one token after another. A creation that became known stays known. */
function statesOfOne(tokens: readonly Token[]): Token[] {
  const { _id: address, number } = tokenRecord(99);
  let createdAt: string | null = null;
  return tokens.map((token, index) => {
    createdAt = token.createdAt ?? createdAt;
    return { ...token, address, number, createdAt, version: index + 1 };
  });
}

describe('list index', () => {
  test('any pages of any list equal a sort of all tokens, after any changes and removals', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof({ weight: 4, arbitrary: tokenArbitrary }, fc.integer({ min: 0, max: 30 })), {
          maxLength: 80,
        }),
        query,
        (changes, given) => {
          const { index, tokens } = indexAfter(changes, NOW);
          const { filter, q = '', sort, order } = given;
          const expected = tokens
            .filter((token) => filter === undefined || passesFilter(filter, token, NOW))
            .filter(({ name, symbol, address }) => matchesSearch(searchText(name, symbol, address), searchWords(q)))
            .toSorted((a, b) => compareRanks(rankOf(a, sort), rankOf(b, sort), order))
            .map(({ address }) => address);
          expect(pages(index, given)).toEqual({ addresses: expected, totals: [expected.length] });
        },
      ),
    );
  });

  test('patches from one state of a token to the next give it the place of the last state', () => {
    fc.assert(
      fc.property(fc.array(tokenArbitrary, { minLength: 2, maxLength: 6 }), query, (states, given) => {
        const patched = createListIndex();
        const replaced = createListIndex();
        const [first, ...others] = statesOfOne(states);
        if (first === undefined) throw new Error('there is no state');
        patched.put(first, NOW);
        let last = first;
        for (const next of others) {
          const patch: TokenPatch | null = diffToken(last, next, 150);
          if (patch === null) continue;
          patched.patch(patch, AT_150);
          last = applyPatch(last, patch, AT_150);
        }
        replaced.put(last, NOW);
        const { filter, q, sort, order } = given;
        for (const index of [patched, replaced])
          index.put(presentToken(tokenRecord(0, { price: 2, createdAt: NOW })), NOW);
        expect(pages(patched, { filter, q, sort, order, limit: 1 })).toEqual(
          pages(replaced, { filter, q, sort, order, limit: 1 }),
        );
        expect(patched.counts(NOW)).toEqual(replaced.counts(NOW));
      }),
    );
  });

  test('a stored token gets the same place as a published one', () => {
    const record = tokenRecord(1, {
      marketCapUsd: 1 / 3,
      liquidityLamports: 123_456_789,
      riskScore: 7,
      name: '\u200B',
    });
    expect(presentToken(record)).toMatchObject(presentIndexed(record));
  });

  test('counts launches by spans of five minutes, and nothing without a known creation', () => {
    const index = createListIndex();
    const put = (number: number, age: number, fields: Partial<Token> = {}) =>
      index.put({ ...presentToken(tokenRecord(number, { createdAt: NOW - age })), ...fields }, NOW);
    put(1, -MINUTE);
    put(2, 4 * MINUTE, { runner: true });
    put(3, 6 * MINUTE, { mightRun: true });
    put(4, HOUR);
    put(5, HOUR + 1, { runner: true });
    put(6, MINUTE, { createdAt: null });
    const launches = [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2];
    expect(index.counts(NOW)).toEqual({ newLastHour: 4, runners: 2, mightRun: 1, launches });
  });

  test('keeps the newest tokens when there are too many, and reports how many it covers', () => {
    const index = createListIndex(20);
    const put = (number: number) =>
      index.put(presentToken(tokenRecord(number, { createdAt: NOW - number * MINUTE })), NOW);
    for (let number = 0; number < 22; number += 1) put(number);
    expect([index.size, index.covered]).toEqual([22, null]);
    put(22);
    expect([index.size, index.covered]).toEqual([20, 20]);
    const { addresses } = index.page({ sort: 'detected', order: 'asc', limit: 1 }, CONTEXT);
    expect(addresses).toEqual([addressNumber(19)]);
    index.clear();
    expect([index.size, index.covered]).toEqual([0, null]);
  });

  test('has another revision after each change of its rows', () => {
    const index = createListIndex();
    const token = presentToken(tokenRecord(1));
    const patch = { address: token.address, number: token.number, version: 2, price: 3 };
    const changes = [
      () => index.patch(patch, AT_150),
      () => index.put(token, NOW),
      () => index.patch(patch, AT_150),
      () => index.remove([token.address]),
      () => index.clear(),
    ];
    const revisions = changes.map((change) => {
      change();
      return index.rows().revision;
    });
    expect(revisions).toEqual([0, 1, 2, 3, 4]);
  });

  test('grows beyond its first capacity without losing a figure', () => {
    const index = createListIndex();
    for (let number = 0; number < 2_500; number += 1) {
      index.put({ ...presentToken(tokenRecord(number)), currentLiquidity: number }, NOW);
    }
    const { addresses, total } = index.page({ sort: 'liquidity', order: 'desc', limit: 2 }, CONTEXT);
    expect([addresses, total]).toEqual([[addressNumber(2_499), addressNumber(2_498)], 2_500]);
  });
});
