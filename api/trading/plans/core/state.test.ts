import { expect, test } from 'vitest';
import { apply } from './changes.ts';
import type { Change } from './model.ts';
import { createState } from './state.ts';
import { DETECTED } from './testing/any-conditions.ts';
import { accountOf, launched, planOf, scene } from './testing/core-scene.ts';

test.each(['over', 'refused'] as const)('a user is forgotten without plans, once its last order is %s', (end) => {
  const state = createState();
  const applyAll = (changes: readonly Change[]) => {
    for (const change of changes) apply(state, change);
  };
  const others: Change[] = [
    { type: 'account', account: accountOf({ userId: 'other' }) },
    { type: 'plan', plan: planOf({ id: 'other', userId: 'other', minLiquidity: 50 }) },
  ];
  const removed = (userId: string, planId: string): Change[] => [
    { type: 'plan-removed', planId },
    { type: 'account-removed', userId },
  ];
  applyAll([...scene(), ...others, { type: 'plan', plan: planOf() }, ...launched('token', DETECTED)]);
  applyAll([...removed('other', 'other'), ...removed('user', 'plan')]);
  expect([...state.users.keys()]).toEqual(['user']);
  applyAll([{ type: 'order', order: { key: 'buy:plan:token', state: end, hasBought: false, reason: null } }]);
  expect(state.users.size).toBe(0);
});
