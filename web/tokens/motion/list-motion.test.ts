import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { ATTENTION_MS } from './holds.ts';
import { createListMotion, type ListMotion, SLIDE_EVERY_MS } from './list-motion.ts';

/** A clock whose timers run as it advances. */
function fakeClock() {
  let time = 10_000;
  let timers: { at: number; run: () => void }[] = [];
  return {
    now: () => time,
    after(ms: number, run: () => void) {
      const timer = { at: time + ms, run };
      timers.push(timer);
      return () => {
        timers = timers.filter((one) => one !== timer);
      };
    },
    pass(ms: number) {
      const end = time + ms;
      for (;;) {
        const next = timers.filter(({ at }) => at <= end).sort((one, other) => one.at - other.at)[0];
        if (!next) break;
        timers = timers.filter((one) => one !== next);
        time = Math.max(time, next.at);
        next.run();
      }
      time = end;
    },
    timers: () => timers.length,
  };
}

let clock: ReturnType<typeof fakeClock>;
let motion: ListMotion;
let offered: string[];

beforeEach(() => {
  clock = fakeClock();
  motion = createListMotion(clock);
  offered = ['c', 'b', 'a'];
  motion.offer(offered, 'All');
});

function launch(...addresses: string[]): void {
  offered = [...addresses, ...offered];
  motion.offer(offered, 'All');
}
const shown = () => motion.view().shown.join('');

describe('pace', () => {
  test('shows the first list at once, and a change at once after a quiet second', () => {
    expect(shown()).toBe('cba');
    clock.pass(SLIDE_EVERY_MS);
    launch('d');
    expect(shown()).toBe('dcba');
  });

  test('moves rows at most once a second, all changes together', () => {
    clock.pass(SLIDE_EVERY_MS);
    launch('d');
    launch('e');
    launch('f');
    expect(motion.view()).toMatchObject({ shown: ['d', 'c', 'b', 'a'], waiting: 0 });
    clock.pass(SLIDE_EVERY_MS - 1);
    expect(shown()).toBe('dcba');
    clock.pass(1);
    expect(motion.view()).toMatchObject({ shown: ['f', 'e', 'd', 'c', 'b', 'a'], slides: 2, shift: 2 });
  });

  test('adds an older page at once, because no row moves', () => {
    motion.offer(['c', 'b', 'a', 'z', 'y'], 'All');
    expect(motion.view()).toMatchObject({ shown: ['c', 'b', 'a', 'z', 'y'], slides: 0 });
  });

  test('shows another choice at once, also while it is held', () => {
    motion.hold('over', true);
    motion.offer(['x'], 'Safe');
    expect(motion.view()).toMatchObject({ shown: ['x'], waiting: 0, slides: 0 });
  });
});

describe('holding', () => {
  test.each(['paused', 'over', 'focus', 'scrolled', 'touch'] as const)(
    '%s keeps the rows and counts new ones',
    (reason) => {
      motion.hold(reason, true);
      launch('e', 'd');
      clock.pass(60_000);
      expect(motion.view()).toMatchObject({ shown: ['c', 'b', 'a'], waiting: 2 });
      motion.hold(reason, false);
      expect(motion.view()).toMatchObject({ shown: ['e', 'd', 'c', 'b', 'a'], waiting: 0 });
    },
  );

  test('an approach holds the rows for a moment after its last sign', () => {
    clock.pass(SLIDE_EVERY_MS);
    motion.attend();
    launch('d');
    clock.pass(ATTENTION_MS - 1);
    motion.attend();
    clock.pass(ATTENTION_MS - 1);
    expect(shown()).toBe('cba');
    clock.pass(1);
    expect(shown()).toBe('dcba');
  });

  test('an older page is added below held rows', () => {
    motion.hold('over', true);
    motion.offer(['d', 'c', 'b', 'a', 'z'], 'All');
    expect(motion.view()).toMatchObject({ shown: ['c', 'b', 'a', 'z'], waiting: 1 });
  });

  test('more tokens wait than it knows of once no held row is left in the list', () => {
    motion.hold('touch', true);
    launch('f', 'e', 'd');
    expect(motion.view()).toMatchObject({ shown: ['c', 'b', 'a'], waiting: 3, moreWaiting: false });
    motion.offer(['h', 'g', 'f'], 'All');
    expect(motion.view()).toMatchObject({ shown: ['c', 'b', 'a'], waiting: 3, moreWaiting: true });
    motion.release();
    expect(motion.view()).toMatchObject({ shown: ['h', 'g', 'f'], waiting: 0, moreWaiting: false });
  });

  test.each([
    ['another order', ['b', 'c', 'a']],
    ['a removal', ['c', 'a']],
  ])('on touch the rows stay after %s, until the release', (_, list) => {
    clock.pass(SLIDE_EVERY_MS);
    motion.hold('touch', true);
    motion.offer(list, 'All');
    expect(motion.view()).toMatchObject({ shown: ['c', 'b', 'a'], waiting: 0, behind: true });
    motion.release();
    expect(motion.view()).toMatchObject({ shown: list, behind: false });
  });

  test('a row that leaves the end on touch needs no release, and no other hold asks for one', () => {
    motion.hold('touch', true);
    motion.offer(['c', 'b'], 'All');
    expect(motion.view()).toMatchObject({ shown: ['c', 'b', 'a'], behind: false });
    motion.hold('touch', false);
    motion.hold('over', true);
    motion.offer(['b', 'c', 'a'], 'All');
    expect(motion.view().behind).toBe(false);
  });

  test('release shows what waits, once', () => {
    motion.hold('touch', true);
    launch('d');
    motion.release();
    expect(motion.view()).toMatchObject({ shown: ['d', 'c', 'b', 'a'], waiting: 0 });
    launch('e');
    expect(motion.view()).toMatchObject({ shown: ['d', 'c', 'b', 'a'], waiting: 1 });
  });

  test('the key that ends a pause does not hold', () => {
    clock.pass(SLIDE_EVERY_MS);
    motion.hold('paused', true);
    launch('d');
    motion.attend();
    motion.hold('paused', false);
    expect(shown()).toBe('dcba');
  });
});

test('rows that the response to a choice moves are shown at once', () => {
  motion.hold('over', true);
  motion.offer(['x', 'y'], 'Safe', 0);
  clock.pass(200);
  motion.offer(['z', 'x', 'y'], 'Safe', 1);
  expect(motion.view()).toMatchObject({ shown: ['z', 'x', 'y'], choice: 'Safe', waiting: 0 });
});

/** A step of a trading session; `ms` passes before it. */
const step = fc.record({
  ms: fc.integer({ min: 0, max: 1_500 }),
  act: fc.oneof(
    fc.record({ kind: fc.constant('launch' as const), rows: fc.integer({ min: 1, max: 5 }) }),
    fc.record({ kind: fc.constant('attend' as const) }),
    fc.record({ kind: fc.constant('over' as const), on: fc.boolean() }),
    fc.record({ kind: fc.constant('drop' as const), place: fc.nat(20) }),
    fc.record({ kind: fc.constant('choose' as const) }),
    fc.record({ kind: fc.constant('response' as const), turn: fc.nat(20) }),
  ),
});

/** A response that adds rows below those of its choice, and then new rows above. */
const responseBelow: (typeof step extends fc.Arbitrary<infer Step> ? Step : never)[] = [
  { ms: 0, act: { kind: 'choose' } },
  { ms: 0, act: { kind: 'launch', rows: 4 } },
  { ms: 1, act: { kind: 'response', turn: 4 } },
  { ms: 0, act: { kind: 'launch', rows: 1 } },
];

test('in any session rows slide once a second at most, never while held, and end as the list is', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const time = fakeClock();
      const rows = createListMotion(time);
      let list = ['r2', 'r1', 'r0'];
      let launched = 0;
      let held = false;
      let attended = Number.NEGATIVE_INFINITY;
      const slides: number[] = [];
      let last = rows.view();
      let choice = 0;
      let chosen = 0;
      let isPending = false;
      let isResponse = false;
      rows.subscribe(() => {
        const next = rows.view();
        if (chosen !== choice) {
          chosen = choice;
          slides.push(time.now());
          last = next;
          return;
        }
        // One that only adds rows below moves none.
        const isBelow = last.shown.every((address, place) => next.shown[place] === address);
        if (isResponse && !isBelow) slides.push(time.now());
        else if (next.slides > last.slides) {
          expect(held).toBe(false);
          expect(time.now()).toBeGreaterThanOrEqual(attended + ATTENTION_MS);
          expect(time.now() - (slides.at(-1) ?? Number.NEGATIVE_INFINITY)).toBeGreaterThanOrEqual(SLIDE_EVERY_MS);
          slides.push(time.now());
        } else expect(next.shown.slice(0, last.shown.length)).toEqual(last.shown);
        last = next;
      });
      const offer = () => rows.offer(list, String(choice), isPending ? 0 : 1);
      offer();
      for (const { ms, act } of steps) {
        time.pass(ms);
        if (act.kind === 'launch') {
          list = [...Array.from({ length: act.rows }, () => `n${launched++}`), ...list];
          offer();
        } else if (act.kind === 'drop') {
          list = list.filter((_, place) => place !== act.place);
          offer();
        } else if (act.kind === 'choose') {
          choice += 1;
          isPending = true;
          list = list.toReversed();
          offer();
        } else if (act.kind === 'response') {
          isResponse = isPending;
          isPending = false;
          list = [...list.slice(act.turn), ...list.slice(0, act.turn)];
          offer();
          isResponse = false;
        } else if (act.kind === 'attend') {
          attended = time.now();
          rows.attend();
        } else {
          held = act.on;
          rows.hold('over', act.on);
        }
      }
      held = false;
      rows.hold('over', false);
      time.pass(ATTENTION_MS + SLIDE_EVERY_MS);
      expect(rows.view()).toMatchObject({ shown: list, waiting: 0 });
      expect(time.timers()).toBe(0);
    }),
    { examples: [[responseBelow]] },
  );
});
