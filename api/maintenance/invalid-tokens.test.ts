import { describe, expect, test } from 'vitest';
import type { Removal } from '../market/operations/removal.ts';
import type { IdentityFields } from '../market/publish/store.ts';
import { address, START } from '../market/testing/observations.ts';
import { freshRecord } from '../market/token/state/live-token.ts';
import { isInvalid, MINT_GRACE, NAME_GRACE, removalOf, removeInvalidTokens } from './invalid-tokens.ts';

function token(number: number, overrides: Partial<IdentityFields> = {}): IdentityFields {
  return {
    _id: address(number),
    name: 'Pepe',
    symbol: 'PEPE',
    cluster: 'mainnet',
    launchpad: 'pump.fun',
    detectedAt: START - 2 * NAME_GRACE,
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

describe('an invalid record [S7.3-05]', () => {
  test('has an address that is not 32 bytes', () => {
    for (const _id of ['abc', 'M'.repeat(44), address(1).slice(0, 31), `${address(1)}0`]) {
      expect(isInvalid(token(1, { _id }), START)).toBe(true);
    }
    expect(isInvalid(token(1), START)).toBe(false);
  });

  test('has neither a name nor a symbol after an hour', () => {
    const detectedAt = START - NAME_GRACE;
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

/** Cleans up these tokens. `known`: the mints on the chain; null: it does not respond. `responses`: number of responses. */
async function cleanUp(
  tokens: IdentityFields[],
  known: readonly string[] | null,
  { responses = Number.POSITIVE_INFINITY, reached = ['mainnet', 'devnet'] } = {},
) {
  let calls = 0;
  const lookedUp: string[] = [];
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
        reaches: (cluster) => reached.includes(cluster),
        async findMints(cluster, addresses) {
          lookedUp.push(...addresses.map((one) => `${cluster} ${one}`));
          calls += 1;
          return known === null || calls > responses ? null : new Set(known);
        },
        stop: () => {},
      },
      clock: { now: () => START },
    },
    { total: tokens.length, progress: (...args) => progress.push(args), signal: new AbortController().signal },
  );
  return { result, lookedUp, removed, progress };
}

describe('mints unknown to their chain [S7.3-05]', () => {
  const tokens = [
    token(1),
    token(2),
    // Simulated tokens are on no chain, whatever their cluster (decision 26).
    token(3, { launchpad: 'simulator', cluster: null }),
    token(4, { launchpad: 'simulator' }),
    // The node may not know it yet.
    token(5, { detectedAt: START - MINT_GRACE + 1 }),
    token(6, { cluster: 'devnet' }),
    token(7, { name: null, symbol: null }),
  ];

  test('are removed, without a lookup of simulated and very young tokens', async () => {
    const { result, lookedUp, removed, progress } = await cleanUp(tokens, [address(1), address(6)]);
    expect(lookedUp).toEqual([`mainnet ${address(1)}`, `mainnet ${address(2)}`, `devnet ${address(6)}`]);
    expect(new Set(removed)).toEqual(new Set([address(2), address(7)]));
    expect(result).toEqual({ count: 2, unreachable: [], partial: [], skipped: 0 });
    expect(progress.at(-1)).toEqual([7, 7, 'Checked 7 tokens, 2 of them invalid']);
  });

  test('stay when the chain does not respond, which is reported', async () => {
    const { result, removed } = await cleanUp(tokens, null);
    expect(removed).toEqual([address(7)]);
    expect(result).toEqual({ count: 1, unreachable: ['mainnet', 'devnet'], partial: [], skipped: 0 });
  });

  test('are reported as partly checked when the chain stops responding', async () => {
    const { result } = await cleanUp([token(1), token(2), token(8), token(9)], [address(1)], { responses: 1 });
    expect(result).toEqual({ count: 1, unreachable: [], partial: ['mainnet'], skipped: 0 });
  });

  test('are skipped and counted where no node of their chain is configured', async () => {
    const { result, lookedUp } = await cleanUp(tokens, [address(6)], { reached: ['devnet'] });
    expect(lookedUp).toEqual([`devnet ${address(6)}`]);
    expect(result).toEqual({ count: 1, unreachable: [], partial: [], skipped: 2 });
  });
});

test('keeps a token that got its name during the lookup [S7.3-05]', () => {
  const { matches } = removalOf({ permanent: new Set([address(1)]), nameless: new Set([address(2)]) });
  const record = (number: number, name: string | null, symbol: string | null = null) =>
    matches({ ...freshRecord({ ...first, address: address(number) }, number, START), name, symbol });
  expect([record(1, 'Pepe'), record(2, null), record(2, ' ', 'Unknown')]).toEqual([true, true, true]);
  expect([record(2, 'Pepe'), record(2, null, 'PEPE'), record(3, null)]).toEqual([false, false, false]);
});
