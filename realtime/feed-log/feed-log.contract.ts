import { beforeEach, describe, expect, test, vi } from 'vitest';
import { addressOf, oneOfEach, updateOf } from '../testing/events.ts';
import type { FeedEntry, FeedLog, RoomMessage } from './feed-log.ts';

/** Tests the behaviour that every feed log must have. `create` returns an empty one, in an epoch of its own. */
export function testLogContract(name: string, create: () => Promise<FeedLog>): void {
  describe(`${name} as a feed log`, () => {
    let log: FeedLog;
    beforeEach(async () => {
      log = await create();
      return () => log.close();
    });

    /** Resolves with everything after `cursor`; fails the test on a resync. */
    async function since(cursor = { epoch: log.head().epoch, seq: 0 }, limit?: number): Promise<FeedEntry[]> {
      const found = await log.since(cursor, limit);
      if ('resync' in found) throw new Error(`resync ${found.resync}`);
      return found.entries;
    }

    test('numbers events consecutively from 1, over many appends [F1]', async () => {
      expect(log.head().seq).toBe(0);
      expect(await log.append([updateOf(1), updateOf(2)])).toEqual({ epoch: log.head().epoch, seq: 2 });
      expect(await log.append([updateOf(3)])).toMatchObject({ seq: 3 });
      expect((await since()).map(({ seq, payload }) => [seq, payload.seq])).toEqual([
        [1, 1],
        [2, 2],
        [3, 3],
      ]);
    });

    test('numbers stay consecutive when several append at once [F1]', async () => {
      await Promise.all(Array.from({ length: 50 }, (_, number) => log.append([updateOf(number), updateOf(number)])));
      expect((await since()).map(({ seq }) => seq)).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
    });

    test('returns every kind of event unchanged [F1]', async () => {
      const events = oneOfEach();
      await log.append(events);
      expect((await since()).map(({ event, payload: { seq: _seq, ...payload } }) => ({ event, payload }))).toEqual(
        events,
      );
    });

    test('an empty append changes nothing [F1]', async () => {
      const entries = vi.fn();
      log.tail({ entries, message: vi.fn(), interrupted: vi.fn() });
      expect(await log.append([])).toMatchObject({ seq: 0 });
      expect(entries).not.toHaveBeenCalled();
    });

    test('returns exactly the entries after a position, oldest first, up to the limit [F2]', async () => {
      const { epoch } = await log.append([1, 2, 3, 4, 5].map(updateOf));
      expect((await since({ epoch, seq: 2 })).map(({ seq }) => seq)).toEqual([3, 4, 5]);
      expect((await since({ epoch, seq: 2 }, 2)).map(({ seq }) => seq)).toEqual([3, 4]);
      expect(await since({ epoch, seq: 5 })).toEqual([]);
    });

    test('names the position before its oldest entry [F2]', async () => {
      expect(log.oldest()).toEqual(log.head());
      const head = await log.append([updateOf(1), updateOf(2)]);
      expect(log.oldest()).toEqual({ ...head, seq: 0 });
    });

    test('gives a resync for another epoch and for a future position [F2]', async () => {
      const { epoch, seq } = await log.append([updateOf(1)]);
      expect(await log.since({ epoch: `${epoch}x`, seq })).toEqual({ resync: 'epoch' });
      expect(await log.since({ epoch, seq: seq + 1 })).toEqual({ resync: 'ahead' });
    });

    test('another begin is another epoch, of which every tail learns [F1]', async () => {
      const before = await log.append([updateOf(1), updateOf(2)]);
      const interrupted = vi.fn(() => expect(log.head()).toMatchObject({ seq: 0 }));
      log.tail({ entries: vi.fn(), message: vi.fn(), interrupted });
      await log.begin(() => true);
      expect(interrupted).toHaveBeenCalledExactlyOnceWith('epoch');
      expect(log.head().epoch).not.toBe(before.epoch);
      expect(await log.since(before)).toEqual({ resync: 'epoch' });
      expect(await log.append([updateOf(3)])).toEqual({ epoch: log.head().epoch, seq: 1 });
      expect((await since()).map(({ seq }) => seq)).toEqual([1]);
    });

    test('an epoch is announced after the work before it', async () => {
      const before = log.head();
      const interrupted = vi.fn();
      log.tail({ entries: vi.fn(), message: vi.fn(), interrupted });
      const seen: unknown[] = [];
      await log.begin(
        () => true,
        async () => void seen.push(log.head(), interrupted.mock.calls.length),
      );
      expect(seen).toEqual([before, 0]);
      expect(interrupted).toHaveBeenCalledExactlyOnceWith('epoch');
    });

    test('two logs have different epochs [F1]', async () => {
      const other = await create();
      expect(other.head().epoch).not.toBe(log.head().epoch);
      await other.close();
    });

    test('every tail gets every entry and message in order, until it stops', async () => {
      const received: [string, number | string][] = [];
      const tailOf = (name: string) => ({
        entries: (entries: readonly FeedEntry[]) =>
          received.push(...entries.map(({ seq }): [string, number] => [name, seq])),
        message: ({ room }: RoomMessage) => received.push([name, room]),
        interrupted: () => {},
      });
      const message: RoomMessage = {
        room: `token:${addressOf(1)}`,
        event: 'token-trades',
        payload: { address: addressOf(1), trades: [] },
      };
      const stop = log.tail(tailOf('a'));
      log.tail(tailOf('b'));
      await log.append([updateOf(1), updateOf(2)]);
      log.relay(message);
      await vi.waitFor(() => expect(received).toHaveLength(6));
      stop();
      await log.append([updateOf(3)]);
      await vi.waitFor(() => expect(received).toHaveLength(7));
      const of = (name: string) => received.filter(([tail]) => tail === name).map(([, event]) => event);
      expect(of('a')).toEqual([1, 2, message.room]);
      expect(of('b')).toEqual([1, 2, message.room, 3]);
    });

    test('messages to rooms have no number and are not stored', async () => {
      log.relay({ room: 'x', event: 'token-trades', payload: { address: addressOf(1), trades: [] } });
      expect(log.head().seq).toBe(0);
      expect(await since()).toEqual([]);
    });

    test('a closed log rejects appends', async () => {
      await log.close();
      await expect(log.append([updateOf(1)])).rejects.toThrow('closed');
    });
  });
}
