import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { createPlacements, LANDING_MS, type Placement, type Placements } from './placements.ts';

const HEIGHT = 44;
const TOP = 300;
/** The middle of a place in a list that starts at TOP. */
const middleOf = (place: number) => TOP + (place + 0.5) * HEIGHT;

let placements: Placements;
let now: number;

beforeEach(() => {
  placements = createPlacements();
  now = 10_000;
  note({});
});

function note(change: Partial<Placement>): void {
  placements.note({ rows: ['c', 'b', 'a'], choice: 'All', top: TOP, height: HEIGHT, ...change }, now);
}

test('names the row that was at this place until a moment ago', () => {
  note({ rows: ['d', 'c', 'b', 'a'] });
  expect(placements.landing('c', middleOf(1), now + LANDING_MS - 1)).toEqual({ previous: 'b' });
  expect(placements.landing('c', middleOf(1), now + LANDING_MS)).toBeNull();
});

test('a click from before the change, handled after it, lands as well', () => {
  note({ rows: ['d', 'c', 'b', 'a'] });
  expect(placements.landing('d', middleOf(0), now - 20)).toEqual({ previous: 'c' });
});

test('a place that had no row, and a row that stayed, open', () => {
  note({ rows: ['c', 'x', 'b', 'a'] });
  expect(placements.landing('c', middleOf(0), now)).toBeNull();
  expect(placements.landing('a', middleOf(3), now)).toBeNull();
  expect(placements.landing('x', middleOf(1), now)).toEqual({ previous: 'b' });
});

test('a part of the page that appears above the list moves its rows', () => {
  note({ top: TOP + 36 });
  // A third of a row is still where it was.
  expect(placements.landing('c', TOP + 40, now)).toBeNull();
  expect(placements.landing('b', TOP + 36 + HEIGHT + 1, now)).toBeNull();
  expect(placements.landing('b', TOP + 36 + HEIGHT + 20, now)).toEqual({ previous: 'a' });
  expect(placements.landing('b', TOP + 36 + HEIGHT + 20, now + LANDING_MS)).toBeNull();
});

test('a row does not open where something else than a row was', () => {
  note({ top: TOP - 100 });
  expect(placements.landing('c', TOP - 80, now)).toEqual({ previous: null });
  now += LANDING_MS;
  note({ top: TOP + 3 * HEIGHT });
  expect(placements.landing('c', TOP + 3.5 * HEIGHT, now)).toEqual({ previous: null });
});

test('rows of another height move those below them', () => {
  note({ height: 108 });
  expect(placements.landing('c', TOP + 20, now)).toBeNull();
  expect(placements.landing('c', TOP + 100, now)).toEqual({ previous: 'a' });
});

test('rows of another choice open at once: the user asked for them', () => {
  note({ rows: ['x', 'y'], choice: 'Safe' });
  expect(placements.landing('x', middleOf(0), now)).toBeNull();
  note({ rows: ['z', 'x', 'y'], choice: 'Safe' });
  expect(placements.landing('x', middleOf(1), now)).toEqual({ previous: 'y' });
});

test('a change that leaves every row in its place keeps the guard of the change before', () => {
  note({ rows: ['d', 'c', 'b', 'a'] });
  now += 100;
  note({ rows: ['d', 'c', 'b', 'a', 'z'] });
  note({ rows: ['d', 'c', 'b', 'a', 'z'] });
  expect(placements.landing('c', middleOf(1), now)).toEqual({ previous: 'b' });
});

/** A step of a session, `ms` after the one before it. */
const step = fc.record({
  ms: fc.nat(700),
  change: fc.oneof(
    fc.record({ kind: fc.constant('launch' as const) }),
    fc.record({ kind: fc.constant('drop' as const), place: fc.nat(5) }),
    fc.record({ kind: fc.constant('top' as const), top: fc.integer({ min: 0, max: 400 }) }),
    fc.record({ kind: fc.constant('height' as const), height: fc.constantFrom(44, 64, 108) }),
  ),
});

test('in any session a row opens only where it was for LANDING_MS, or where the list was not before', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), fc.integer({ min: 0, max: 900 }), fc.nat(600), (steps, y, wait) => {
      const list = createPlacements();
      let time = 0;
      let state: Placement = { rows: ['r2', 'r1', 'r0'], choice: 'All', top: 100, height: 64 };
      const history = [{ state, from: 0 }];
      list.note(state, 0);
      for (const [number, { ms, change }] of steps.entries()) {
        time += ms;
        if (change.kind === 'launch') state = { ...state, rows: [`n${number}`, ...state.rows] };
        else if (change.kind === 'drop') state = { ...state, rows: state.rows.filter((_, at) => at !== change.place) };
        else if (change.kind === 'top') state = { ...state, top: change.top };
        else state = { ...state, height: change.height };
        history.push({ state, from: time });
        list.note(state, time);
      }
      const at = time + wait;
      const rowOf = (one: Placement) => one.rows[Math.floor((y - one.top) / one.height)];
      const pressed = rowOf(state);
      if (pressed === undefined || list.landing(pressed, y, at) !== null) return;
      for (const [number, { state: one }] of history.entries()) {
        const end = history[number + 1]?.from ?? Number.POSITIVE_INFINITY;
        if (at - end < LANDING_MS) expect([pressed, undefined]).toContain(rowOf(one));
      }
    }),
  );
});
