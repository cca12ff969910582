import { describe, expect, test } from 'vitest';
import type { Removal } from '../market/operations/removal.ts';
import type { IdentityFields } from '../market/publish/store.ts';
import { address, START } from '../market/testing/observations.ts';
import { freshRecord } from '../market/token/state/live-token.ts';
import { isInvalid, MINT_PATIENCE, NAME_PATIENCE, removalOf, removeInvalidTokens } from './invalid-tokens.ts';

function token(number: number, overrides: Partial<IdentityFields> = {}): IdentityFields {
  return {
    _id: address(number),
    name: 'Pepe',
    symbol: 'PEPE',
    cluster: 'mainnet',
    launchpad: 'pump.fun',
    detectedAt: START - 2 * NAME_PATIENCE,
    ...overrides,
  };
}

const first = {
  source: 'pumpportal',
  receivedAt: START,
  launchpad: 'pump.fun',
  cluster: 'mainnet',
  quote: 'SOL',
} as const;

describe('what is no token by itself [S7.3-05]', () => {
  test('an address that is not 32 bytes', () => {
    for (const _id of ['abc', 'M'.repeat(44), address(1).slice(0, 31), `${address(1)}0`]) {
      expect(isInvalid(token(1, { _id }), START)).toBe(true);
    }
    expect(isInvalid(token(1), START)).toBe(false);
  });

  test('one without a name and without a symbol after an hour, and not before', () => {
    const detectedAt = START - NAME_PATIENCE;
    for (const [name, symbol] of [
      [null, null],
      ['', ' '],
      ['Unknown Token (Coin1111...)', 'Unknown'],
    ] as const) {
      expect(isInvalid(token(1, { name, symbol, detectedAt }), START)).toBe(true);
      expect(isInvalid(token(1, { name, symbol, detectedAt: detectedAt + 1 }), START)).toBe(false);
      expect(isInvalid(token(1, { name, symbol: 'PEPE', detectedAt }), START)).toBe(false);
      expect(isInvalid(token(1, { name: 'Pepe', symbol, detectedAt }), START)).toBe(false);
    }
  });
});

/** Runs over these tokens; `known` are the mints of mainnet, null: it can't be asked. */
async function cleanUp(tokens: IdentityFields[], known: readonly string[] | null, answers = Number.POSITIVE_INFINITY) {
  let calls = 0;
  const asked: string[] = [];
  const removed: string[] = [];
  const progress: unknown[] = [];
  const result = await removeInvalidTokens(
    {
      market: {
        identities: async (after) => {
          const from = after === '' ? 0 : tokens.findIndex(({ _id }) => _id === after) + 1;
          return tokens.slice(from, from + 2);
        },
        async remove({ filter }: Removal) {
          const { $in } = filter._id as { $in: string[] };
          removed.push(...$in);
          return $in.length;
        },
      },
      lookup: {
        async findMints(cluster, addresses) {
          asked.push(...addresses.map((one) => `${cluster} ${one}`));
          calls += 1;
          return known === null || calls > answers ? null : new Set(known);
        },
        stop: () => {},
      },
      clock: { now: () => START },
    },
    { total: tokens.length, progress: (...args) => progress.push(args), signal: new AbortController().signal },
  );
  return { result, asked, removed, progress };
}

describe('mints that their chain does not know [S7.3-05]', () => {
  const tokens = [
    token(1),
    token(2),
    // On no chain, whatever else it says (decision 26).
    token(3, { launchpad: 'simulator', cluster: null }),
    token(4, { launchpad: 'simulator' }),
    // The node may not have heard of it yet.
    token(5, { detectedAt: START - MINT_PATIENCE + 1 }),
    token(6, { cluster: 'devnet' }),
    token(7, { name: null, symbol: null }),
  ];

  test('are removed; simulated and very young ones are not asked about', async () => {
    const { result, asked, removed, progress } = await cleanUp(tokens, [address(1), address(6)]);
    expect(asked).toEqual([`mainnet ${address(1)}`, `mainnet ${address(2)}`, `devnet ${address(6)}`]);
    expect(new Set(removed)).toEqual(new Set([address(2), address(7)]));
    expect(result).toEqual({ count: 2, unasked: [], partly: [] });
    expect(progress.at(-1)).toEqual([7, 7, 'Looked at 7 tokens, 2 of them invalid']);
  });

  test('stay when the chain can not be asked, and that is said; the other reasons count', async () => {
    const { result, removed } = await cleanUp(tokens, null);
    expect(removed).toEqual([address(7)]);
    expect(result).toEqual({ count: 1, unasked: ['mainnet', 'devnet'], partly: [] });
  });

  test('one that answered at first took some with it, which is not denied', async () => {
    const { result } = await cleanUp([token(1), token(2), token(8), token(9)], [address(1)], 1);
    expect(result).toEqual({ count: 1, unasked: [], partly: ['mainnet'] });
  });
});

test('a token that gets its name while the chain is asked stays [S7.3-05]', () => {
  const { matches } = removalOf({ forGood: new Set([address(1)]), nameless: new Set([address(2)]) });
  const record = (number: number, name: string | null, symbol: string | null = null) =>
    matches({ ...freshRecord({ ...first, address: address(number) }, START), name, symbol });
  expect([record(1, 'Pepe'), record(2, null), record(2, ' ', 'Unknown')]).toEqual([true, true, true]);
  expect([record(2, 'Pepe'), record(2, null, 'PEPE'), record(3, null)]).toEqual([false, false, false]);
});
