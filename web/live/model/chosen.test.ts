import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rounds } from '../../../common/testing/effort.ts';
import { tokenCalls } from '../../../common/tokens/http.ts';
import type { Token } from '../../../common/tokens/model.ts';
import { compareRanks, formatCursor, parseCursor, rankOf, type SortOrder } from '../../../common/tokens/order.ts';
import { createAppStore } from '../../store.ts';
import { fakeServerPerTest, json } from '../../testing/fake-server.ts';
import { chosenAtom } from '../atoms/atoms.ts';
import { token } from '../testing/build.ts';
import { createChosenList, type Page, type PagePart } from './chosen.ts';
import { createFeedModel, type PageKind } from './model.ts';

const ROWS = 5;

const rest = fakeServerPerTest();

/** A server whose tokens have these liquidities, by number; null: there is no such token. */
function market(order: SortOrder) {
  const values = new Map<number, number>();
  let version = 1;
  const place = (one: Token) => rankOf(one, 'liquidity');
  return {
    set(number: number, value: number | null) {
      version += 1;
      if (value === null) values.delete(number);
      else values.set(number, value);
    },
    sorted: () =>
      [...values]
        .map(([number, value]) => token(number, { currentLiquidity: value, version }))
        .sort((a, b) => compareRanks(place(a), place(b), order)),
    place,
  };
}

interface Change {
  number: number;
  value: number | null;
}
const change: fc.Arbitrary<Change> = fc.record({
  number: fc.nat(39),
  value: fc.option(fc.integer({ min: 0, max: 30 }), { freq: 4 }),
});
/** A request, and the changes of the market before each of its pages. */
const step = fc.record({
  act: fc.constantFrom('first', 'older', 'part'),
  at: fc.nat(5),
  changes: fc.array(fc.array(change, { maxLength: 4 }), { maxLength: 4 }),
});

/** A client without events: all it knows comes from responses. */
function client(order: SortOrder) {
  const store = createAppStore();
  const chosen = createChosenList(store, () => 0);
  const model = createFeedModel(() => 0);
  chosen.choose({ sort: 'liquidity', order });
  const { signal } = new AbortController();
  const take = (kind: PageKind, { data, more, covers }: Page & Partial<PagePart>) =>
    model.list({ list: 'chosen', kind, tokens: data, cursor: null, total: null, more: more ?? false, covers });
  return {
    rows: () => model.state.lists.chosen.addresses,
    /** Place of the last row that is loaded; null when all are. */
    border: () => store.get(chosenAtom)?.border ?? null,
    first: async () =>
      take('first', await chosen.first(Math.max(ROWS, model.state.lists.chosen.addresses.length), signal)),
    async older() {
      const cursor = chosen.next();
      if (cursor !== null) take('older', await chosen.older(cursor, ROWS, signal));
    },
    part: async (at: number) => take('part', await chosen.part(at, ROWS, signal)),
    pages: chosen.pages,
    /** Returns the page of a row, from 0. */
    pageOf(row: string | undefined) {
      const known = row === undefined ? undefined : model.state.tokens.get(row);
      return known === undefined ? 0 : (chosen.pageOf(known) ?? 0);
    },
  };
}

/** Three tokens take the first page, so that all rows of the part that it no longer reaches are unknown. */
const unreached: [SortOrder, number[], { act: 'part'; at: number; changes: Change[][] }[]] = [
  'desc',
  [0, 0, 0, 1],
  [
    {
      act: 'part',
      at: 0,
      changes: [
        [
          { number: 4, value: 0 },
          { number: 5, value: 1 },
          { number: 2, value: 1 },
        ],
      ],
    },
  ],
];

test('a list that changes while its pages load has no row twice, and ends as the server has it', async () => {
  const session = fc.array(step, { maxLength: 12 });
  const tokens = fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 1, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom<SortOrder>('asc', 'desc'), tokens, session, async (order, values, steps) => {
      const server = market(order);
      for (const [number, value] of values.entries()) server.set(number, value);
      let coming: Change[][] = [];
      rest.reply(tokenCalls.list, ({ query }) => {
        for (const { number, value } of coming.shift() ?? []) server.set(number, value);
        const before = query.get('before');
        const after = before === null ? null : parseCursor(before);
        const left = server
          .sorted()
          .filter((one) => after === null || compareRanks(server.place(one), after, order) > 0);
        const page = left.slice(0, Math.min(ROWS, Number(query.get('limit'))));
        const last = page.at(-1);
        const more = last !== undefined && left.length > page.length;
        return json(page, 200, more ? { 'X-Next-Cursor': formatCursor(server.place(last), false) } : {});
      });

      const list = client(order);
      await list.first();
      for (const { act, at, changes } of steps) {
        coming = [...changes];
        if (act === 'part') await list.part(list.pageOf(list.rows()[at * ROWS]));
        else await list[act]();
        expect(new Set(list.rows()).size).toBe(list.rows().length);
      }

      coming = [];
      for (let at = 0; at < list.pages(); at += 1) await list.part(at);
      const border = list.border();
      const wanted = server
        .sorted()
        .filter((one) => border === null || compareRanks(server.place(one), border, order) <= 0);
      expect(list.rows().toSorted()).toEqual(wanted.map((one) => one.address).toSorted());
      expect(border === null || wanted.at(-1)?.address === border.address).toBe(true);
    }),
    { numRuns: rounds(60), examples: [unreached] },
  );
});
