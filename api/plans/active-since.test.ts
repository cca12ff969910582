import { expect, test } from 'vitest';
import { activeSinceAfter, type PlanSwitch } from './active-since.ts';

interface Plan extends PlanSwitch {
  name: string;
  configuration: { one?: number; other?: { inner: number } };
  limit: number | null;
}

const NOW = 1_000;
const on: Plan = { name: 'Plan', isActive: true, activeSince: 1, configuration: { one: 1 }, limit: 5 };
const off: Plan = { ...on, isActive: false };
const after = (before: Plan | null, saved: Partial<Plan>) =>
  activeSinceAfter<Plan>(before, saved, ['configuration', 'limit'], NOW);

test('a plan counts from the moment when it is created active or switched on', () => {
  expect(after(null, on)).toEqual({ activeSince: NOW });
  expect(after(off, { isActive: true })).toEqual({ activeSince: NOW });
  expect(after(null, off)).toEqual({});
  expect(after(off, { limit: 9 })).toEqual({});
  expect(after(on, { isActive: false })).toEqual({});
});

test('it counts from then on after a change of conditions or limits, not after one of its name', () => {
  expect(after(on, { limit: 6 })).toEqual({ activeSince: NOW });
  expect(after(on, { limit: null })).toEqual({ activeSince: NOW });
  expect(after(on, { configuration: { one: 1, other: { inner: 2 } } })).toEqual({ activeSince: NOW });
  expect(after(on, { name: 'Other', isActive: true, limit: 5, configuration: { one: 1 } })).toEqual({});
  expect(after({ ...on, limit: null }, { limit: null })).toEqual({});
});
