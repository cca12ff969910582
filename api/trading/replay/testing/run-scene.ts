import { createCore } from '../../plans/core/core.ts';
import type { Change, CorePlan } from '../../plans/core/model.ts';
import { DETECTED } from '../../plans/core/testing/any-conditions.ts';
import { accountOf, launched, planOf, priceOf } from '../../plans/core/testing/core-scene.ts';
import type { TapeEntry } from '../../tape/format.ts';
import { createReplay, type ReplayTask } from '../run.ts';

export const SOL = 1_000_000_000;
const USER = '6a0000000000000000000001';
export const DELAY = 900;

export const taskOf = (plan: Partial<CorePlan> = {}, limits = {}): ReplayTask => ({
  plan: planOf({ userId: USER, ...plan }),
  account: { ...accountOf({ userId: USER, moneyLamports: 10 * SOL }), limits: { ...accountOf().limits, ...limits } },
  lists: [],
  delayOf: () => DELAY,
});

const begin: Extract<TapeEntry, { type: 'begin' }> = {
  type: 'begin',
  at: DETECTED,
  changes: [{ type: 'source', source: 'test', isLive: true }],
};
export const tick = (after: number, changes: Change[] = []): TapeEntry => ({
  type: 'tick',
  now: DETECTED + after,
  changes,
});

/** A price `times` as high as at the launch. */
export const price = (address: string, after: number, times: number): Change => {
  const { reserves, ...rest } = priceOf({ address, at: DETECTED + after, price: times * 1e-5 });
  const virtualQuote = Math.round((reserves?.virtualQuote ?? 0) * Math.sqrt(times));
  const virtualToken = Math.round((reserves?.virtualToken ?? 0) / Math.sqrt(times));
  const moved = { virtualQuote, virtualToken, realQuote: virtualQuote, realToken: virtualToken };
  return { type: 'price', price: { ...rest, reserves: moved } };
};
export const launch = (address: string, after: number): Change[] => [
  ...launched(address, DETECTED + after).filter(({ type }) => type !== 'price'),
  price(address, after, 1),
];

export function run(task: ReplayTask, entries: TapeEntry[]) {
  const replay = createReplay(task, createCore);
  for (const entry of [begin, ...entries]) replay.take(entry);
  return replay;
}

/** The price of a change as the curve has it. */
export function scaled(change: Change): Change {
  if (change.type !== 'price' || !change.price.reserves) return change;
  const { virtualQuote, virtualToken } = change.price.reserves;
  return { type: 'price', price: { ...change.price, price: virtualQuote / 1e9 / (virtualToken / 1e6) } };
}
