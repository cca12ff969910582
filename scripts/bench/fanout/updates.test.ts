import { expect, test } from 'vitest';
import { tokenPatchSchema } from '../../../common/tokens/model.ts';
import { createUpdates } from './updates.ts';

test('returns valid patches of all tokens with rising versions', () => {
  const updates = createUpdates();
  const patches = updates(4_000);
  for (const patch of patches.slice(0, 100)) expect(tokenPatchSchema.parse(patch)).toEqual(patch);
  expect(new Set(patches.slice(0, 2_000).map(({ address }) => address)).size).toBe(2_000);
  expect(patches[2_000]?.version).toBe((patches[0]?.version ?? 0) + 1);
  const withHolders = patches.filter(({ holderCount }) => holderCount !== undefined).length;
  expect(withHolders / patches.length).toBeCloseTo(0.5, 1);
});

test('returns the same updates for the same seed', () => {
  expect(createUpdates(7)(10)).toEqual(createUpdates(7)(10));
  expect(createUpdates(7)(10)).not.toEqual(createUpdates(8)(10));
});
