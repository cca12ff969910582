import { describe, expect, test } from 'vitest';
import { SPARK_POINTS } from '../../../common/tokens/spark.ts';
import { address, NOON, stats, token } from '../testing/build.ts';
import { added, connected, EPOCH, patched, price, removed, response, rows } from '../testing/feed.ts';
import { decoded } from './events.ts';
import { MAX_TOKENS } from './lists.ts';
import { createFeedModel } from './model.ts';
import { evict } from './reducer.ts';

describe('tokens by their numbers', () => {
  test('a token that gets another number is followed by that one alone', () => {
    const model = connected(3);
    model.list(response('all', 3, [token(1)]));
    model.event(added(4, 1, { number: 77, version: 2 }));
    model.event(patched(5, 1, 3, 8));
    expect(price(model, 1)).not.toBe(8);
    const patches = [{ number: 77, version: 4, price: 9 }];
    model.event({ event: 'token-updates', payload: { seq: 6, at: NOON, solUsd: null, patches } });
    expect(price(model, 1)).toBe(9);
  });

  test('a number that another token has since a restart changes that token alone', () => {
    const model = connected(3);
    model.list(response('all', 3, [token(1)]));
    const { number } = token(1);
    model.event(added(4, 2, { number }));
    const patches = [{ number, version: 2, price: 9 }];
    model.event({ event: 'token-updates', payload: { seq: 5, at: NOON, solUsd: null, patches } });
    expect(price(model, 1)).toBe(token(1).price);
    expect(price(model, 2)).toBe(9);
    model.event(removed(6, 1));
    model.event({
      event: 'token-updates',
      payload: { seq: 7, at: NOON, solUsd: null, patches: [{ number, version: 3, price: 10 }] },
    });
    expect(price(model, 2)).toBe(10);
  });

  test('updates are read in either encoding', () => {
    const payload = { seq: 1, at: NOON, solUsd: 150, patches: [{ number: 1, version: 2, price: 3 }] };
    const entry = { event: 'token-updates', payload };
    expect(decoded({ event: 'token-updates', payload: [1, NOON, 150, [[1, 2, 1, 3]]] })).toEqual(entry);
    expect(decoded(entry)).toEqual(entry);
  });
});

describe('a fetched list and the events around it [F3]', () => {
  test('drops events that the list already includes [F3]', () => {
    const model = connected(3);
    model.list(response('all', 5, [token(2)]));
    // Event 4 added token 9 and event 5 removed it again: the list at position 5 includes both.
    model.event(added(4, 9));
    expect(rows(model, 'all')).toEqual([address(2)]);
    model.event(removed(5, 9));
    expect(rows(model, 'all')).toEqual([address(2)]);
  });

  test('applies events that arrived before the response but happened after it [F3]', () => {
    const model = connected(3);
    model.event(patched(4, 2, 5, 9));
    model.event(added(5, 1));
    model.event(removed(6, 3));
    model.list(response('all', 3, [token(2, { version: 4 }), token(3)]));
    expect(rows(model, 'all')).toEqual([address(1), address(2)]);
    expect(price(model, 2)).toBe(9);
    expect(model.state.lists.all.total).toBe(2);
  });

  test('ignores a response older than the previous one [F3]', () => {
    const model = connected(3);
    model.list(response('runners', 9, [token(1)]));
    expect(model.list(response('runners', 7, [token(2)]))).toBe('older-than-known');
    expect(rows(model, 'runners')).toEqual([address(1)]);
  });

  test('misses the events between a response and a connection opened after it [F3]', () => {
    const model = createFeedModel(() => NOON);
    model.list(response('all', 4, [token(2)]));
    model.hello({ epoch: EPOCH, seq: 6 });
    expect(model.missing()).toEqual({ epoch: EPOCH, seq: 4 });
    model.event(added(5, 1));
    model.event(patched(6, 2, 2, 7));
    expect(model.missing()).toBeNull();
    expect(price(model, 2)).toBe(7);
  });

  test('misses events that were dropped before a response needed them [F3]', () => {
    const model = connected(100);
    model.event(added(101, 1));
    model.list(response('all', 90, [token(2)]));
    expect(model.missing()).toEqual({ epoch: EPOCH, seq: 90 });
    for (let seq = 91; seq <= 101; seq++) model.event(seq === 95 ? patched(95, 2, 2, 8) : removed(seq, 77));
    expect(model.missing()).toBeNull();
    expect(price(model, 2)).toBe(8);
  });

  test('rejects a response of another epoch while connected [F3]', () => {
    const model = connected(3);
    const foreign = response('all', 50, [token(1)], { cursor: { epoch: 'epoch-0', seq: 50 } });
    expect(model.list(foreign)).toBe('stale');
    expect(rows(model, 'all')).toEqual([]);
  });
});

describe('a gap in the numbers [F4]', () => {
  test('holds events after the gap until the missing ones arrive [F4]', () => {
    const model = connected(1);
    model.list(response('all', 1, [token(5)]));
    model.event(patched(4, 5, 3, 30));
    expect(model.missing()).toEqual({ epoch: EPOCH, seq: 1 });
    expect(price(model, 5)).not.toBe(30);
    model.event(added(2, 1));
    expect(model.missing()).toEqual({ epoch: EPOCH, seq: 2 });
    model.event(patched(3, 5, 2, 20));
    expect(model.missing()).toBeNull();
    expect(price(model, 5)).toBe(30);
    expect(model.cursor()).toEqual({ epoch: EPOCH, seq: 4 });
  });

  test('marks lists as outdated when too many events are missing [F4]', () => {
    const model = connected(1);
    model.list(response('all', 1, [token(5)]));
    for (let seq = 3; seq < 2_100; seq++) model.event(patched(seq, 5, seq, seq));
    expect([...model.outdated()]).toEqual(['all']);
  });

  test('replaces known tokens by the first responses after a resync, whatever their version [F2]', () => {
    const model = connected(1);
    model.list(response('all', 1, [token(5, { version: 90, price: 90 }), token(6)]));
    model.resync();
    model.event(patched(20, 5, 91, 91));
    expect(price(model, 5)).toBe(90);
    model.list(response('all', 19, [token(5, { version: 3, price: 3 })]));
    expect(rows(model, 'all')).toEqual([address(5)]);
    expect(price(model, 5)).toBe(91);
    expect(model.outdated().size).toBe(0);
    expect(model.cursor()).toEqual({ epoch: EPOCH, seq: 20 });
  });

  test('a new epoch marks lists of the old epoch as outdated and keeps those of the new one [F2]', () => {
    const model = connected(1);
    model.list(response('all', 1, [token(5)]));
    model.disconnected();
    model.list(response('runners', 7, [token(5)], { cursor: { epoch: 'epoch-2', seq: 7 } }));
    model.hello({ epoch: 'epoch-2', seq: 9 });
    expect([...model.outdated()]).toEqual(['all']);
    expect(model.missing()).toEqual({ epoch: 'epoch-2', seq: 7 });
  });
});

describe('repeated and outdated events [F5]', () => {
  test('counts an event that arrives twice once [F5]', () => {
    const model = connected(1);
    model.stats(stats({ total: 10, newLastHour: 4 }), { epoch: EPOCH, seq: 1 });
    model.event(added(2, 1));
    model.event(added(2, 1));
    expect(model.state.stats.value).toMatchObject({ total: 11, newLastHour: 5 });
    expect(model.state.stats.value?.launches.at(-1)).toBe(13);
  });

  test('ignores an older patch [F5]', () => {
    const model = connected(1);
    model.list(response('all', 1, [token(5, { version: 7, price: 7 })]));
    model.event(patched(2, 5, 6, 6));
    expect(price(model, 5)).toBe(7);
  });

  test('adds prices of the feed to the sparkline, where the last point is the latest price', () => {
    const model = connected(1);
    const start = Date.parse(token(5).detectedAt);
    model.list(response('all', 1, [token(5, { spark: [[0, 1]], price: 1 })]));
    const spark = () => model.state.tokens.get(address(5))?.spark;
    const update = (seq: number, seconds: number) =>
      model.event({
        event: 'token-updates',
        payload: {
          seq,
          at: start + seconds * 1_000,
          solUsd: null,
          patches: [{ number: 6, version: seq + 1, price: seq }],
        },
      });
    update(2, 9);
    expect(spark()).toEqual([
      [0, 1],
      [9, 2],
    ]);
    update(3, 9.4);
    expect(spark()).toEqual([
      [0, 1],
      [9, 3],
    ]);
    for (let seq = 4; seq < 90; seq++) update(seq, 10 * seq);
    expect(spark()).toHaveLength(SPARK_POINTS);
    expect(spark()?.[0]).toEqual([0, 1]);
    expect(spark()?.at(-1)).toEqual([890, 89]);
  });

  test('empties every list when all tokens are removed', () => {
    const model = connected(1);
    model.list(response('all', 1, [token(5), token(6)]));
    model.list(response('runners', 1, [token(5)]));
    model.event({ event: 'tokens-removed', payload: { seq: 2, all: true } });
    expect(rows(model, 'all')).toEqual([]);
    expect(rows(model, 'runners')).toEqual([]);
    expect(model.state.lists.all.total).toBe(0);
  });

  test('evicts tokens beyond the limit that are in no list and not on screen', () => {
    const model = connected(0);
    model.list(response('all', 0, [token(1)]));
    for (let number = 2; number < MAX_TOKENS + 500; number++) model.tokens([token(number)], null);
    evict(model.state, (one) => one === address(2));
    expect(model.state.tokens.size).toBe(MAX_TOKENS);
    expect(model.state.tokens.has(address(1))).toBe(true);
    expect(model.state.tokens.has(address(2))).toBe(true);
    expect(model.state.tokens.has(address(3))).toBe(false);
  });

  test('removes a token from the list of new ones an hour after its creation [S4-09]', () => {
    let clock = NOON;
    const model = createFeedModel(() => clock);
    model.hello({ epoch: EPOCH, seq: 0 });
    model.list(response('new', 0, [token(1), token(59)]));
    model.event(added(1, 61));
    expect(rows(model, 'new')).toEqual([address(1), address(59)]);
    clock += 2 * 60_000;
    model.age();
    expect(rows(model, 'new')).toEqual([address(1)]);
  });
});
