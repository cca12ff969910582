import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tokenOf } from '../../../common/testing/tokens.ts';
import { MINUTE } from '../../../common/time.ts';
import type { Token } from '../../../common/tokens/model.ts';
import { applyPatch, diffToken } from '../../../common/tokens/patch.ts';
import { createRecentChanges, type RecentChanges } from './recent-changes.ts';

const AT = Date.UTC(2026, 8, 1, 12);

const state = fc.record({
  price: fc.option(fc.constantFrom(0.000_000_03, 0.000_000_04)),
  // The second one follows from the first price at a rate of 150.
  marketCap: fc.option(fc.constantFrom(1, 4_500)),
  holderCount: fc.option(fc.constantFrom(1, 2)),
  totalSupply: fc.option(fc.constantFrom('1000000000000000', '2000000000000000')),
  solUsd: fc.constantFrom(150, 160, null),
  isWhole: fc.boolean(),
});

type State = typeof state extends fc.Arbitrary<infer Made> ? Made : never;

/** Returns the states that the feed makes of a token, each with the function that adds its change. */
function publish(states: readonly State[]) {
  let token = tokenOf(1);
  return states.map(({ solUsd, isWhole, ...fields }, index) => {
    const context = { at: AT + index, solUsd };
    const next: Token = { ...token, ...fields, version: index + 2, lastUpdated: new Date(AT + index).toISOString() };
    const patch = diffToken(token, next, solUsd);
    if (isWhole) token = next;
    // Without a visible change nothing is published.
    else if (patch !== null) token = applyPatch(token, patch, context);
    const add = (recent: RecentChanges) => {
      if (isWhole) recent.addToken(next);
      else if (patch !== null) recent.addPatch(patch, context);
    };
    return { token, add };
  });
}

/** The supply changes alone, after a price whose market cap followed from it. */
const priced = { price: 0.000_000_03, marketCap: 4_500, holderCount: null, solUsd: 150, isWhole: false } as const;
const supplyChanges: State[] = [
  { ...priced, totalSupply: '1000000000000000' },
  { ...priced, totalSupply: null },
];

test('a token that was stored at any version becomes what the feed has made of it', () => {
  fc.assert(
    fc.property(fc.array(state, { minLength: 1, maxLength: 8 }), fc.nat(), fc.nat(), (states, seed, start) => {
      const recent = createRecentChanges({ now: () => AT });
      const published = publish(states);
      const from = start % states.length;
      for (const { add } of published.slice(from)) add(recent);
      const history = [tokenOf(1), ...published.map(({ token }) => token)];
      // The stored token is at least as new as the first known change.
      const stored = history[from + (seed % (history.length - from))];
      expect(stored && recent.current(stored)).toEqual(history.at(-1));
    }),
    { examples: [[supplyChanges, 0, 0]] },
  );
});

test('forgets tokens that did not change for two minutes, and beyond its bound those that changed first', () => {
  let now = AT;
  const recent = createRecentChanges({ now: () => now }, 2);
  const add = (number: number) => recent.addToken(tokenOf(number, { version: 2 }));
  const known = () => [1, 2, 3].filter((number) => recent.of(tokenOf(number).address) !== undefined);
  add(1);
  add(2);
  add(1);
  add(3);
  expect(known()).toEqual([1, 3]);
  now += 2 * MINUTE + 1;
  add(2);
  expect([known(), recent.size]).toEqual([[2], 1]);
  recent.remove([tokenOf(2).address]);
  expect(recent.size).toBe(0);
});
