import fc from 'fast-check';
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { listNameOf } from '../../../common/live/lists.ts';
import { HOUR, MINUTE } from '../../../common/time.ts';
import type { ListChoice } from '../../../common/tokens/http.ts';
import type { Token } from '../../../common/tokens/model.ts';
import type { FeedEntry } from '../../../realtime/feed-log/feed-log.ts';
import type { ListChange } from '../../../realtime/list-watch.ts';
import { addressNumber, tokenRecord } from '../../testing/tokens.ts';
import { createListIndex } from '../list-index/list-index.ts';
import { presentToken } from '../present.ts';
import { createListWatch } from './list-watch.ts';

const START = 1_770_000_000_000;
const log = pino({ level: 'silent' });

/** An index and its watch, with a clock, a rate and a memory that the test moves. */
async function scene() {
  const state: { now: number; solUsd: number | null } = { now: START, solUsd: 150 };
  const index = createListIndex();
  const live = new Map<string, Token>();
  const stored = new Map<string, Token>();
  const reads: string[] = [];
  const watch = createListWatch({
    index: Object.assign(index, { ready: () => Promise.resolve() }),
    context: () => ({ ...state }),
    liveToken: (address) => live.get(address) ?? null,
    readTokens: async (addresses) => {
      reads.push(...addresses);
      return addresses.flatMap((address) => stored.get(address) ?? []);
    },
    log,
  });
  await Promise.resolve();
  const put = (number: number, fields: Partial<Token> = {}, createdAt = START) => {
    const token = { ...presentToken(tokenRecord(number, { createdAt })), ...fields };
    live.set(token.address, token);
    index.put(token, state.now);
    return token;
  };
  return { state, index, live, stored, reads, watch, put };
}

/** Applies changes to the numbers of a list as a client does. */
function applied(before: ReadonlySet<number>, change: ListChange | undefined): Set<number> {
  const after = new Set(before);
  for (const number of change?.left ?? []) after.delete(number);
  for (const { number } of change?.entered ?? []) after.add(number);
  return after;
}

const liquid = listNameOf({ f: 'liquidity:5-' });

describe('changes of a list', () => {
  test('a token enters complete when its figures match, and leaves when they do not', async () => {
    const { watch, put } = await scene();
    put(0, { currentLiquidity: 1 });
    watch.open(liquid);
    const token = put(0, { currentLiquidity: 6 });
    expect(watch.advance([], true)).toMatchObject([{ list: liquid, entered: [token], left: [], total: 1 }]);
    put(0, { currentLiquidity: 4 });
    expect(watch.advance([], true)).toMatchObject([{ entered: [], left: [token.number], total: 0 }]);
    expect(watch.advance([], true)).toMatchObject([{ entered: [], left: [], total: 0 }]);
  });

  test('patches of members alone are part of a change', async () => {
    const { watch, put } = await scene();
    const [inside, outside] = [put(0, { currentLiquidity: 6 }), put(1, { currentLiquidity: 1 })];
    watch.open(liquid);
    const patches = [inside, outside].map(({ address, number }) => ({ address, number, version: 2, price: 1 }));
    const entry: FeedEntry = { seq: 1, event: 'token-updates', payload: { seq: 1, at: START, solUsd: 7, patches } };
    expect(watch.advance([entry], true)).toMatchObject([{ at: START, solUsd: 7, patches: [patches[0]] }]);
  });

  test('tokens enter and leave with the last entries of a batch, and patches come with their own', async () => {
    const { watch, put } = await scene();
    const [leaving, entering] = [put(0, { currentLiquidity: 6 }), put(1, { currentLiquidity: 1 })];
    watch.open(liquid);
    const patches = [leaving, entering].map(({ address, number }) => ({ address, number, version: 2, price: 1 }));
    const entry: FeedEntry = { seq: 1, event: 'token-updates', payload: { seq: 1, at: START, solUsd: 7, patches } };
    put(0, { currentLiquidity: 1 });
    put(1, { currentLiquidity: 6 });
    expect(watch.advance([entry], false)).toMatchObject([{ patches: [patches[0]], entered: [], left: [], total: 1 }]);
    expect(watch.advance([], true)).toMatchObject([
      { patches: [], entered: [{ number: entering.number }], left: [leaving.number], total: 1 },
    ]);
  });

  test('a removed token is counted until the last entries of a batch', async () => {
    const { index, watch, put } = await scene();
    const { number } = put(0, { currentLiquidity: 6 });
    watch.open(liquid);
    index.remove([addressNumber(0)]);
    expect(watch.advance([], false)).toMatchObject([{ left: [], total: 1 }]);
    expect(watch.advance([], true)).toMatchObject([{ left: [number], total: 0 }]);
  });

  test('a token enters and leaves by its age, and by the end of its first hour', async () => {
    const { state, watch, put } = await scene();
    const [aged, young] = [listNameOf({ f: 'age:60-120' }), listNameOf({ filter: 'new' })];
    const { number } = put(0);
    watch.open(aged);
    watch.open(young);
    const changesAt = (age: number) => {
      state.now = START + age;
      return watch.advance([], true).map(({ entered, left }) => [entered.map((token) => token.number), left]);
    };
    const none = [[], []];
    expect(changesAt(MINUTE - 1)).toEqual([none, none]);
    expect(changesAt(MINUTE)).toEqual([[[number], []], none]);
    expect(changesAt(2 * MINUTE)).toEqual([none, none]);
    expect(changesAt(2 * MINUTE + 1)).toEqual([[[], [number]], none]);
    expect(changesAt(HOUR)).toEqual([none, none]);
    expect(changesAt(HOUR + 1)).toEqual([none, [[], [number]]]);
  });

  test('a token that is not in memory enters once it is read', async () => {
    const { state, live, stored, reads, watch, put } = await scene();
    const token = put(0);
    live.clear();
    stored.set(token.address, token);
    watch.open(listNameOf({ f: 'age:60-' }));
    state.now += MINUTE;
    expect(watch.advance([], true)).toMatchObject([{ entered: [], total: 0 }]);
    await new Promise(setImmediate);
    expect(watch.advance([], true)).toMatchObject([{ entered: [token], total: 1 }]);
    expect(reads).toEqual([token.address]);
  });

  test('a token enters with the patches that are newer than the state in which it was read', async () => {
    const { state, live, stored, watch, put } = await scene();
    const [older, newer] = [put(0, { version: 4 }), put(1, { version: 5 })];
    live.clear();
    for (const token of [older, newer]) stored.set(token.address, token);
    watch.open(listNameOf({ f: 'age:60-' }));
    state.now += MINUTE;
    watch.advance([], true);
    await new Promise(setImmediate);
    const patches = [older, newer].map(({ address, number }) => ({ address, number, version: 5, price: 1 }));
    const entry: FeedEntry = { seq: 1, event: 'token-updates', payload: { seq: 1, at: START, solUsd: 7, patches } };
    expect(watch.advance([entry], true)).toMatchObject([{ entered: [older, newer], patches: [patches[0]] }]);
  });

  test('a removal takes the token out, and moves no other one out', async () => {
    const { index, watch, put } = await scene();
    const tokens = [0, 1, 2].map((number) => put(number, { currentLiquidity: 6 }));
    watch.open(liquid);
    index.remove([addressNumber(0)]);
    expect(watch.advance([], true)).toMatchObject([{ entered: [], left: [tokens[0]?.number], total: 2 }]);
    index.clear();
    expect(watch.advance([], true)[0]?.left).toHaveLength(2);
  });

  test('a new rate moves tokens over a bound in dollars', async () => {
    const { state, watch, put } = await scene();
    // A supply of 1,000,000,000 at 0.0000001 SOL is worth 100 SOL.
    put(0, { price: 0.000_000_1, highestPrice: null });
    watch.open(listNameOf({ f: 'highestCap:16000-' }));
    state.solUsd = 160;
    expect(watch.advance([], true)).toMatchObject([{ total: 1 }]);
  });
});

const choices: ListChoice[] = [
  { f: 'liquidity:2-3' },
  { f: 'age:3-6' },
  { f: 'age:-4,liquidity:1-', unknown: 'show' },
  { q: 'coin 1' },
  { f: 'highestCap:300-' },
  { filter: 'new', stage: 'pool' },
];

/** A scene whose lists clients follow from the beginning. */
async function followedScene() {
  const { state, index, live, stored, watch, put } = await scene();
  const created = new Map<number, number>();
  const lists = choices.map((choice) => ({ name: listNameOf(choice), choice, numbers: new Set<number>() }));
  for (const { name } of lists) watch.open(name);
  return {
    put(number: number, figures: Partial<Token>) {
      const at = created.get(number) ?? state.now;
      created.set(number, at);
      const token = put(number, { ...figures, highestPrice: null }, at);
      // Every other token is in MongoDB alone.
      if (number % 2 === 0) live.delete(token.address);
      stored.set(token.address, token);
    },
    remove: (number: number) => index.remove([addressNumber(number)]),
    pass(time: number) {
      state.now += time;
    },
    rate(solUsd: number) {
      state.solUsd = solUsd;
    },
    advance() {
      for (const change of watch.advance([], true)) {
        const list = lists.find(({ name }) => name === change.list);
        if (!list) continue;
        list.numbers = applied(list.numbers, change);
        expect(change.total, change.list).toBe(list.numbers.size);
      }
    },
    /** Compares what clients have with the index. */
    check() {
      const { byAddress, columns } = index.rows();
      for (const { choice, numbers, name } of lists) {
        const page = index.page({ ...choice, sort: 'detected', order: 'desc', limit: 100 }, state);
        const expected = page.addresses.map((address) => columns.figures.number[byAddress.get(address) ?? 0]);
        expect(numbers, name).toEqual(new Set(expected));
      }
    },
  };
}

type World = Awaited<ReturnType<typeof followedScene>>;

test('lists follow any changes, removals, ages and rates of the tokens', async () => {
  const number = fc.integer({ min: 0, max: 12 });
  const figures = fc.record({
    currentLiquidity: fc.option(fc.integer({ min: 0, max: 4 })),
    stage: fc.constantFrom('curve', 'pool'),
    price: fc.option(fc.constantFrom(1e-9, 3e-9)),
  });
  const step = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.tuple(number, figures).map(
        ([at, changed]) =>
          (world: World) =>
            world.put(at, changed),
      ),
    },
    { weight: 1, arbitrary: number.map((at) => (world: World) => world.remove(at)) },
    {
      weight: 2,
      arbitrary: fc.constantFrom(500, 1_000, 3_000, HOUR).map((time) => (world: World) => world.pass(time)),
    },
    { weight: 1, arbitrary: fc.constantFrom(100, 200).map((rate) => (world: World) => world.rate(rate)) },
    { weight: 3, arbitrary: fc.constant((world: World) => world.advance()) },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 80 }), async (steps) => {
      const world = await followedScene();
      for (const run of steps) run(world);
      for (let round = 0; round < 3; round += 1) {
        world.advance();
        await new Promise(setImmediate);
      }
      world.check();
    }),
  );
});
