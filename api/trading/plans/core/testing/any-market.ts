import fc from 'fast-check';
import type { Conditions } from '../../../../../common/strategies/conditions.ts';
import { SECOND } from '../../../../../common/time.ts';
import type { Change, CorePlan } from '../model.ts';
import { anyConditions, DETECTED } from './any-conditions.ts';
import { accountOf, factsOf, planOf, priceOf, tokenOf } from './core-scene.ts';

/** Something that happens in a random market, `after` half seconds after the event before. */
export interface MarketEvent {
  after: number;
  changes: (now: number) => Change[];
}

const SOL = 1_000_000_000;
const addresses = ['one', 'two', 'three'];
const users = ['anna', 'ben'];
const figure = fc.oneof({ weight: 9, arbitrary: fc.integer({ min: 0, max: 12 }) }, fc.constant(null));
const limit = fc.oneof(fc.constant(null), fc.integer({ min: 0, max: 12 }));
const risk = fc.oneof(
  fc.constant(null),
  fc.integer({ min: 0, max: 10 }).map((tens) => tens * 10),
);
const address = fc.constantFrom(...addresses);

/** Plans of two users, switched on before any token or a few seconds later. */
export const anyPlans: fc.Arbitrary<CorePlan[]> = fc
  .array(
    fc.record({
      conditions: anyConditions,
      userId: fc.constantFrom(...users),
      minLiquidity: limit,
      maxRisk: risk,
      buyUnknownRisk: fc.boolean(),
      buyWithinSeconds: fc.constantFrom(null, null, 2, 20),
      lamports: fc.constantFrom(SOL / 10, SOL / 10, SOL / 4),
      activeSince: fc.constantFrom(DETECTED, DETECTED, DETECTED + 3 * SECOND),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((plans) =>
    plans.map((plan, index) =>
      planOf({ ...plan, conditions: { ...plan.conditions } as Conditions, id: `plan-${index}` }),
    ),
  );

type Made = (now: number) => Change[];
const price = fc.record({ address, price: figure, liquidity: figure }).map(
  (figures): Made =>
    (at) => [{ type: 'price', price: priceOf({ ...figures, at }) }],
);
const facts = fc.record({ address, holders: figure, risk }).map(
  (figures): Made =>
    () => [{ type: 'facts', facts: factsOf(figures) }],
);
const list = fc
  .record({ userId: fc.constantFrom(...users), address, listed: fc.constantFrom('white', 'black', null) })
  .map(
    ({ userId, address: one, listed }): Made =>
      () => [{ type: 'lists', userId, white: listed === 'white' ? [one] : [], black: listed === 'black' ? [one] : [] }],
  );
const stop = fc.record({ userId: fc.constantFrom(...users), isStopped: fc.boolean() }).map(
  (account): Made =>
    () => [{ type: 'account', account: accountOf(account) }],
);
const source = fc.boolean().map(
  (isLive): Made =>
    () => [{ type: 'source', source: 'test', isLive }],
);
/** Tokens appear with the facts of their launch. */
const launch = address.map(
  (one): Made =>
    (now) => [
      { type: 'token', token: tokenOf({ address: one, detectedAt: now }) },
      { type: 'facts', facts: factsOf({ address: one }) },
    ],
);

/** Figures, lists, stops, sources that go and come back, and launches. */
export const anyEvents: fc.Arbitrary<MarketEvent[]> = fc.array(
  fc.record({
    after: fc.integer({ min: 0, max: 6 }),
    changes: fc.oneof(
      { weight: 16, arbitrary: price },
      { weight: 6, arbitrary: facts },
      { weight: 4, arbitrary: launch },
      { weight: 1, arbitrary: list },
      { weight: 1, arbitrary: stop },
      { weight: 1, arbitrary: source },
    ),
  }),
  { minLength: 10, maxLength: 80, size: 'max' },
);

const poorAccount = fc
  .record({
    userId: fc.constantFrom(...users),
    maxOpen: fc.integer({ min: 1, max: 4 }),
    cooldownMs: fc.constantFrom(0, 0, 4 * SECOND),
    usedLamports: fc.integer({ min: 0, max: 10 }).map((tenths) => (tenths * SOL) / 10),
    places: fc.array(fc.constantFrom('elsewhere', 'nowhere', ...addresses), { maxLength: 3 }),
    moneyLamports: fc.integer({ min: 0, max: 12 }).map((tenths) => (tenths * SOL) / 10),
  })
  .map(
    ({ userId, maxOpen, cooldownMs, usedLamports, places, moneyLamports }): Made =>
      (now) => {
        const { limits, book } = accountOf();
        const account = {
          userId,
          limits: { ...limits, perDayLamports: SOL, maxOpen, cooldownMs },
          book: { ...book, usedLamports, places, lastBuyAt: now - SECOND },
          moneyLamports,
        };
        return [{ type: 'account', account: accountOf(account) }];
      },
  );

/** As `anyEvents`, with accounts that refuse most purchases. */
export const anyPoorEvents: fc.Arbitrary<MarketEvent[]> = fc
  .tuple(
    anyEvents,
    fc.array(fc.record({ after: fc.integer({ min: 0, max: 6 }), changes: poorAccount }), {
      minLength: 5,
      maxLength: 20,
    }),
  )
  .map(([events, accounts]) => events.flatMap((event, index) => [event, accounts[index / 4] ?? []].flat()));

/** Changes with which every random market begins: both users may buy. */
export const anyMarket: Change[] = [
  { type: 'source', source: 'test', isLive: true },
  ...users.map((userId): Change => ({ type: 'account', account: accountOf({ userId }) })),
];

/** Times of events are off the whole and half seconds of conditions by so much, ms, when several share a time. */
const APART_MS = 130;

/**
 * Returns the events with their times, epoch ms. Either several happen at the same time, but never at a moment of a condition; or
 * each has its own, which may be such a moment.
 */
export function timed(events: readonly MarketEvent[], mayShare: boolean): { now: number; changes: Change[] }[] {
  const steps: { now: number; changes: Change[] }[] = [];
  let now = DETECTED + (mayShare ? APART_MS : 0);
  for (const { after, changes } of events) {
    now += (Math.max(after, mayShare ? 0 : 1) * SECOND) / 2;
    const detectedAt = mayShare ? now - 2 * APART_MS : now;
    const made = changes(now).map((one) =>
      one.type === 'token' ? { ...one, token: { ...one.token, detectedAt } } : one,
    );
    const last = steps.at(-1);
    if (last?.now === now) last.changes.push(...made);
    else steps.push({ now, changes: made });
  }
  return steps;
}
