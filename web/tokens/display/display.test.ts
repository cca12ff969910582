import { beforeEach, expect, test } from 'vitest';
import { statsAtom } from '../../live/atoms/atoms.ts';
import { unitAtom } from '../../live/atoms/unit.ts';
import { stats } from '../../live/testing/build.ts';
import { createAppStore } from '../../store.ts';
import { chosenColumns } from './column-ids.ts';
import { columnsAtom } from './display.ts';
import { moved } from './display-dialog.tsx';

beforeEach(() => localStorage.clear());

const solUsd = { rate: 150, at: '2026-01-01T00:00:00.000Z', source: 'test' };

test('without a rate, figures are in SOL, and the chosen unit is back with the rate', () => {
  const store = createAppStore();
  expect(store.get(unitAtom)).toBe('usd');
  store.set(statsAtom, stats({ solUsd: null }));
  expect(store.get(unitAtom)).toBe('sol');
  store.set(statsAtom, stats({ solUsd }));
  expect(store.get(unitAtom)).toBe('usd');
});

test('choices are kept on the device', () => {
  createAppStore().set(columnsAtom, ['risk', 'detected']);
  expect(createAppStore().get(columnsAtom)).toEqual(['risk', 'detected']);
});

test('a kept value of another version counts as none', () => {
  localStorage.setItem('ui-token-columns', '["risk","halo"]');
  expect(createAppStore().get(columnsAtom)).toEqual(chosenColumns);
});

test('a moved column stays in the list at both ends', () => {
  const [first] = chosenColumns;
  expect(moved([...chosenColumns], first, 99).at(-1)).toBe(first);
  expect(moved([...chosenColumns], first, -1)).toEqual([...chosenColumns]);
});
