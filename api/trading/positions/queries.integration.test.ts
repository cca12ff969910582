import { Types } from 'mongoose';
import { beforeAll, expect, test } from 'vitest';
import { SECOND } from '../../../common/time.ts';
import { ensureIndexes } from '../../platform/database.ts';
import { testConnection } from '../../testing/database.ts';
import { type Explained, explainer } from '../../testing/explain.ts';
import { MINT } from '../testing/coin.ts';
import { holdingOf, type PositionRecord, positionFillModel, positionModel } from './model.ts';
import { planFill } from './plan-fill.ts';
import { createFillStore, createPositionStore, type FillStore, type PositionStore } from './store.ts';
import { AT, filledOrder } from './testing/orders.ts';
import { openPosition } from './testing/position.ts';

const user = new Types.ObjectId();
const userId = user.toHexString();
const connection = await testConnection({ monitorCommands: true });
let explained: Explained;
let store: PositionStore;
let fills: FillStore;
let closed: PositionRecord[] = [];

beforeAll(async () => {
  const models = { positions: positionModel(connection), fills: positionFillModel(connection) };
  await ensureIndexes(models.positions);
  await ensureIndexes(models.fills);
  const some = Array.from({ length: 300 }, (_, number) => {
    const owner = number % 3 === 0 ? user : new Types.ObjectId();
    const isOpen = number === 0 || (number % 10 === 0 && owner !== user);
    if (isOpen) return openPosition(owner);
    // The older a position, the later it was closed; two at a time.
    const closedAt = new Date(AT - Math.floor(number / 6) * SECOND);
    return { ...openPosition(owner), open: false, status: 'closed' as const, closedAt };
  });
  closed = some.filter((one) => one.userId === user && !one.open);
  await models.positions.insertMany(some);
  const made = some.map(({ userId: owner }) => ({ ...planFill(filledOrder(owner, 'buy', 1), [], AT), done: true }));
  await models.fills.insertMany(made);
  explained = explainer(connection);
  store = createPositionStore(models.positions);
  fills = createFillStore(models.fills);
});

async function all(items: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of items);
}

const holding = holdingOf(filledOrder(user, 'buy', 1));
const queries: Record<string, () => Promise<unknown>> = {
  holding: () => store.ofHolding(holding),
  'open of a user': () => store.openOf(userId, null),
  'open of a mode': () => store.openOf(userId, 'local'),
  'all open': () => all(store.allOpen()),
  unreleased: () => store.unreleased(),
  'closed page': () => store.list(userId, { state: 'closed', before: closed[5]?._id.toHexString(), limit: 50 }),
  'open page': () => store.list(userId, { state: 'open', limit: 50 }),
  'page of a token': () => store.list(userId, { state: 'open', address: MINT }),
  'results of plans': () => store.resultsByPlan(userId, 'local'),
  'unfinished fills': () => fills.unfinished(holding),
  'profit by day': () => fills.profitByDay(userId, 'local', new Date(AT - 1)),
};

test.each(Object.entries(queries))('%s uses an index', async (name, run) => {
  const plans = await explained.plans(run);
  expect(plans.length).toBeGreaterThan(0);
  for (const stages of plans) {
    expect(stages).toContain('IXSCAN');
    expect(stages).not.toContain('COLLSCAN');
    // Few documents are sorted in memory: the unfinished ones of a holding, its lots, and days.
    if (name.includes('page') || name.startsWith('open')) expect(stages).not.toContain('SORT');
  }
});

test('lists closed positions by their end, and each once over pages that begin between equal ends', async () => {
  const ends = (one: PositionRecord) => [one.closedAt?.getTime() ?? 0, one._id.toHexString()] as const;
  const expected = closed.map(ends).toSorted(([at, id], [otherAt, otherId]) => otherAt - at || (id < otherId ? 1 : -1));
  const listed: PositionRecord[] = [];
  for (let page = [...closed]; page.length > 0; listed.push(...page)) {
    const before = listed.at(-1)?._id.toHexString();
    page = await store.list(userId, { state: 'closed', before, limit: 7 });
  }
  expect(listed.map(ends)).toEqual(expected);
  expect(await store.list(userId, { state: 'closed', before: new Types.ObjectId().toHexString() })).toEqual([]);
});
