import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { tokenOf } from '../testing/tokens.ts';
import { type Token, tokenPatchSchema } from './model.ts';
import { applyPatch, diffToken } from './patch.ts';

const NOW = { at: Date.UTC(2026, 8, 1, 12), solUsd: 150 };

const token = (overrides: Partial<Token> = {}) => tokenOf(1, { price: 0.00000003, version: 3, ...overrides });

function fail(): never {
  throw new Error('there is no patch');
}

describe('patches', () => {
  test('a patch contains only the changed fields and the newer version', () => {
    const patch = diffToken(token(), token({ price: 0.00000004, holderCount: 7, version: 5 }), null);
    expect(patch).toEqual({
      address: token().address,
      number: token().number,
      version: 5,
      price: 0.00000004,
      holderCount: 7,
    });
    expect(tokenPatchSchema.parse(patch)).toEqual(patch);
  });

  test('is null without a visible change', () => {
    const { metadata } = token();
    expect(diffToken(token(), token({ version: 4, metadata: { ...metadata } }), null)).toBeNull();
  });

  test('detects a change within the metadata', () => {
    const metadata = { ...token().metadata, uri: 'https://example.invalid' };
    expect(diffToken(token(), token({ version: 4, metadata }), null)).toMatchObject({ metadata });
  });

  test('leaves out a market cap that follows from the new price; the receiver computes it', () => {
    const before = token({ marketCap: 4500 });
    const after = token({ price: 0.00000004, marketCap: 6000, version: 4 });
    const patch = diffToken(before, after, 150);
    expect(patch).toEqual({ address: before.address, number: before.number, version: 4, price: 0.00000004 });
    expect(applyPatch(before, patch ?? fail(), NOW)).toMatchObject({ marketCap: 6000 });
  });

  test('includes a market cap that does not follow, even unchanged', () => {
    const before = token({ marketCap: 4500 });
    const after = token({ price: 0.00000004, marketCap: 4500, version: 4 });
    const patch = diffToken(before, after, 150);
    expect(patch).toMatchObject({ marketCap: 4500 });
    expect(applyPatch(before, patch ?? fail(), NOW)).toMatchObject({ marketCap: 4500 });
  });

  test('applies a newer patch with its time [F5]', () => {
    const before = token();
    const after = applyPatch(before, { number: before.number, version: 4, price: 1, marketCap: null }, NOW);
    expect(after).toEqual(token({ version: 4, price: 1, lastUpdated: '2026-09-01T12:00:00.000Z' }));
    expect(before).toEqual(token());
  });

  test.each([1, 2, 3])('a patch of version %s changes nothing on version 3 [F5]', (version) => {
    const before = token();
    expect(applyPatch(before, { number: before.number, version, price: 1 }, NOW)).toBe(before);
  });

  test('a patch of another token changes nothing [F5]', () => {
    const before = token();
    expect(applyPatch(before, { number: before.number + 1, version: 9, price: 1 }, NOW)).toBe(before);
  });

  test('applying patches twice equals applying them once, in any order of repeats [F5]', () => {
    const states = fc.array(
      fc.record({
        price: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
        holderCount: fc.option(fc.nat(100)),
        runner: fc.boolean(),
      }),
      { minLength: 1, maxLength: 10 },
    );
    fc.assert(
      fc.property(states, fc.array(fc.nat(9)), (changes, repeats) => {
        let current = token();
        const patches = [];
        for (const [index, change] of changes.entries()) {
          const next = token({ ...change, version: 4 + index });
          const patch = diffToken(current, next, NOW.solUsd);
          if (patch) patches.push(patch);
          current = next;
        }
        let seen = token();
        for (const patch of patches) seen = applyPatch(seen, patch, NOW);
        for (const repeat of repeats) {
          const patch = patches[repeat];
          if (patch) expect(applyPatch(seen, patch, { ...NOW, at: NOW.at + 1 })).toBe(seen);
        }
        const { price, holderCount, runner, marketCap } = current;
        expect(seen).toMatchObject({ price, holderCount, runner, marketCap });
      }),
    );
  });
});
