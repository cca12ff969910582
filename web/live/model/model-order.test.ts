import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rounds } from '../../../common/testing/effort.ts';
import type { Token } from '../../../common/tokens/model.ts';
import { address, NOON, token } from '../testing/build.ts';
import { connected, patched, removed, response, rows } from '../testing/feed.ts';
import type { FeedEntry } from './events.ts';
import type { FeedModel, ListResponse } from './model.ts';

// A small server: every event changes its state, and a list can be read at any position.
interface Snapshot {
  tokens: Map<string, Token>;
  runners: Set<string>;
}

type Step = { kind: 'add' | 'patch' | 'remove' | 'enter' | 'leave'; number: number };

function history(steps: readonly Step[]): { events: FeedEntry[]; snapshots: Snapshot[] } {
  const events: FeedEntry[] = [];
  let snapshot: Snapshot = { tokens: new Map([[address(40), token(40)]]), runners: new Set() };
  const snapshots = [snapshot];
  const versions = new Map<string, number>();
  for (const { kind, number } of steps) {
    const next: Snapshot = { tokens: new Map(snapshot.tokens), runners: new Set(snapshot.runners) };
    const at = address(number);
    const known = next.tokens.get(at);
    const seq = events.length + 1;
    const version = (versions.get(at) ?? 1) + 1;
    versions.set(at, version);
    if (!known) {
      const created = token(number, { version });
      next.tokens.set(at, created);
      events.push({ event: 'new-token', payload: { seq, token: created } });
    } else if (kind === 'remove') {
      next.tokens.delete(at);
      next.runners.delete(at);
      events.push(removed(seq, number));
    } else if (kind === 'enter' || kind === 'leave') {
      const active = kind === 'enter';
      const changed = { ...known, runner: active, version };
      next.tokens.set(at, changed);
      if (active) next.runners.add(at);
      else next.runners.delete(at);
      events.push({ event: 'runner', payload: { seq, token: changed, active } });
    } else {
      // Without a rate, a new price has no market cap.
      next.tokens.set(at, {
        ...known,
        price: seq,
        marketCap: null,
        version,
        lastUpdated: new Date(NOON + seq).toISOString(),
      });
      events.push(patched(seq, number, version, seq));
    }
    snapshots.push(next);
    snapshot = next;
  }
  return { events, snapshots };
}

type Delivery = { event: number } | { list: 'all' | 'runners'; position: number };

function read(snapshots: readonly Snapshot[], list: 'all' | 'runners', seq: number): ListResponse {
  const snapshot = snapshots[seq];
  const tokens = [...(snapshot?.tokens.values() ?? [])].filter(
    (one) => list === 'all' || snapshot?.runners.has(one.address),
  );
  return response(list, seq, tokens);
}

const stepArb = fc.record({
  kind: fc.constantFrom('add', 'patch', 'patch', 'remove', 'enter', 'leave'),
  number: fc.integer({ min: 40, max: 44 }),
});

const runArb = fc.array(stepArb, { minLength: 1, maxLength: 25 }).chain((steps) => {
  const last = steps.length;
  const eventArb = fc.integer({ min: 1, max: last }).map((event): Delivery => ({ event }));
  const listArb = fc.record({
    list: fc.constantFrom('all', 'runners'),
    position: fc.integer({ min: 0, max: last }),
  });
  const once: Delivery[] = [
    ...steps.map((_, index) => ({ event: index + 1 })),
    { list: 'all', position: 0 },
    { list: 'runners', position: 0 },
  ];
  return fc.record({
    steps: fc.constant(steps),
    deliveries: fc
      .array(fc.oneof(eventArb, listArb), { maxLength: 20 })
      .chain((more) => fc.shuffledSubarray([...once, ...more], { minLength: once.length + more.length })),
  });
});

function deliver(
  model: FeedModel,
  deliveries: readonly Delivery[],
  { events, snapshots }: ReturnType<typeof history>,
): void {
  for (const delivery of deliveries) {
    const event = 'event' in delivery ? events[delivery.event - 1] : undefined;
    if (event) model.event(event);
    else if ('list' in delivery) model.list(read(snapshots, delivery.list, delivery.position));
  }
  // The server replays events that are still missing (F4).
  for (let cursor = model.missing(); cursor; cursor = model.missing()) {
    for (const event of events.slice(cursor.seq)) model.event(event);
  }
}

/** Without the sparkline, which each client extends by the prices it received. */
const comparable = (one: Token | undefined) => ({ ...one, lastUpdated: '', spark: [] });

test('any order and repetition of events and lists leads to the same state [F3, F5]', () => {
  fc.assert(
    fc.property(runArb, ({ steps, deliveries }) => {
      const server = history(steps);
      const model = connected(0);
      deliver(model, deliveries, server);
      const end = server.snapshots.at(-1);
      const expected = [...(end?.tokens.values() ?? [])];
      expect(new Set(rows(model, 'all'))).toEqual(new Set(expected.map((one) => one.address)));
      expect(new Set(rows(model, 'runners'))).toEqual(end?.runners);
      expect(expected.map((one) => comparable(model.state.tokens.get(one.address)))).toEqual(expected.map(comparable));
      expect(model.state.tokens.size).toBe(expected.length);
    }),
    { numRuns: rounds(500) },
  );
});
