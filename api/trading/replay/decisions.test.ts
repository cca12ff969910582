import { expect, test } from 'vitest';
import { noExits } from '../../../common/trading/account.ts';
import type { Buy, Change, Core, CoreAccount, CorePlan, Decided } from '../core/model.ts';
import { createCore } from '../core/step.ts';
import { DETECTED } from '../core/testing/any-conditions.ts';
import { accountOf, launched, planOf, priceOf } from '../core/testing/core-scene.ts';
import { readChange, type TapeEntry, written } from '../tape/format.ts';
import { createReplay } from './run.ts';

const TICK = 100;
const USERS = ['6a0000000000000000000001', '6a0000000000000000000002', '6a0000000000000000000003'];
const PLANS = 12;
/** Tick with which the recorded hour begins, and the last one. */
const BEGIN = 300;
const END = 900;
const SOL = 1_000_000_000;

function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

function plansOf(userId: string, user: number): CorePlan[] {
  return Array.from({ length: PLANS }, (_, number) => {
    const trend = { option: 'buy_at_uptrend', trendPercentage: 1 + number, trendDuration: 5 + number } as const;
    const wait = { option: 'buy_after_duration', duration: 1 + 2 * number } as const;
    const isTimed = number % 3 === 0;
    return planOf({
      id: `6b000000000000000000${user}${String(number).padStart(3, '0')}`,
      userId,
      name: `Plan ${number}`,
      conditions: isTimed
        ? { type: 'time_based', configuration: { timeConfig: wait } }
        : { type: 'price_based', configuration: { priceConfig: trend } },
      maxRisk: number % 4 === 0 ? 5 : null,
      lamports: SOL / 200,
    });
  });
}

const isOf = (userId: string) => (one: { userId: string }) => one.userId === userId;

/** Runs plans of several users over a random market, as an engine does, and records it. */
function runLive(seed: number) {
  const random = randomFrom(seed);
  const core: Core = createCore();
  const entries: TapeEntry[] = [];
  const decided: Decided[] = [];
  const buys: Buy[] = [];
  const accounts = new Map(USERS.map((userId): [string, CoreAccount] => [userId, liveAccount(userId)]));
  let inbox: Change[] = [
    { type: 'source', source: 'test', isLive: true },
    ...[...accounts.values()].map((account): Change => ({ type: 'account', account })),
    ...USERS.flatMap(plansOf).map((plan): Change => ({ type: 'plan', plan })),
  ];
  let tokens = 0;

  function marketOf(number: number, now: number): Change[] {
    const changes: Change[] = [];
    if (number % 20 === 0) {
      changes.push(...launched(`token-${tokens}`, now));
      tokens += 1;
    }
    for (let step = 0; step < 4; step += 1) {
      const address = `token-${Math.floor(random() * tokens)}`;
      changes.push({ type: 'price', price: priceOf({ address, at: now - 3 + step, price: 0.8 + random() * 0.4 }) });
    }
    if (random() < 0.02) changes.push({ type: 'source', source: 'test', isLive: random() < 0.6 });
    return changes;
  }

  /** Reports an order with the account that it changes, as orders on paper do. */
  function onBuy(buy: Buy): void {
    const account = accounts.get(buy.userId) ?? accountOf();
    const refused = random() < 0.1;
    if (!refused) {
      const { book } = account;
      const held = { ...book, usedLamports: book.usedLamports + buy.lamports, places: [...book.places, buy.address] };
      accounts.set(buy.userId, { ...account, book: held });
      inbox.push({ type: 'account', account: { ...account, book: held } });
    }
    const states = refused ? (['refused'] as const) : (['stored', 'held', 'over'] as const);
    for (const state of states) {
      const reason = refused ? ({ code: 'impact', numbers: { impactBps: 900, slippageBps: 500 } } as const) : null;
      inbox.push({ type: 'order', order: { key: buy.key, state, hasBought: !refused, reason } });
    }
  }

  for (let number = 0; number < END; number += 1) {
    const now = DETECTED + number * TICK;
    const changes = [...inbox, ...marketOf(number, now)];
    inbox = [];
    if (number === BEGIN)
      entries.push({ type: 'begin', at: now, changes: throughText(core.snapshot()), positions: [] });
    if (number >= BEGIN) entries.push({ type: 'tick', now, changes: throughText(changes) });
    for (const effect of core.step(now, changes)) {
      if (effect.type === 'buy') onBuy(effect.buy);
      if (number < BEGIN) continue;
      if (effect.type === 'buy') buys.push(effect.buy);
      else if (effect.type === 'decided') decided.push(effect.decided);
    }
  }
  return { entries, decided, buys };
}

function liveAccount(userId: string): CoreAccount {
  const account = accountOf({ userId });
  return { ...account, limits: { ...account.limits, maxOpen: 260, perDayLamports: 2 * SOL } };
}

/** Returns changes as they come back from the tape. */
function throughText(changes: readonly Change[]): Change[] {
  const read: ReturnType<typeof written>[] = JSON.parse(JSON.stringify(changes.map(written)));
  return read.map(readChange);
}

function replayOf(userId: string, entries: readonly TapeEntry[]) {
  const replay = createReplay(
    {
      userId,
      wallet: 'wallet',
      plans: { type: 'recorded', orders: [], from: DETECTED, ids: [] },
      defaultExits: noExits,
      opening: { fills: [], boughtBy: [], resetAt: null },
    },
    createCore,
    true,
  );
  for (const entry of entries) replay.take(entry);
  return replay;
}

test.each([1, 2, 3, 4])('the recorded plans give the answers of live trading, to the byte (seed %i) [T-38]', (seed) => {
  const { entries, decided, buys } = runLive(seed);
  expect(buys.length).toBeGreaterThan(10);
  for (const userId of USERS) {
    const own = decided.filter(isOf(userId));
    expect(own.length).toBeGreaterThan(5);
    expect(JSON.stringify(replayOf(userId, entries).decided)).toBe(JSON.stringify(own));
  }
});

test('a tape that lacks an entry gives other answers', () => {
  const { entries, decided } = runLive(1);
  const [userId = ''] = USERS;
  const own = JSON.stringify(decided.filter(isOf(userId)));
  const without = (index: number) => entries.filter((_, number) => number !== index);
  const differing = [150, 200, 250, 300, 350].filter(
    (index) => JSON.stringify(replayOf(userId, without(index)).decided) !== own,
  );
  expect(differing).not.toEqual([]);
});

test('a run sees no plan, account or order of another user', () => {
  const { entries } = runLive(1);
  const [userId = '', ...others] = USERS;
  const { decided, reasons, desk } = replayOf(userId, entries);
  const shown = JSON.stringify([
    decided,
    [...reasons].map(([address, byPlan]) => [address, ...byPlan]),
    desk.orders(),
    desk.account(),
  ]);
  for (const other of others) expect(shown).not.toContain(other);
  expect(decided.every(isOf(userId))).toBe(true);
});
