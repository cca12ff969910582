import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { FEED_EPOCH_HEADER, FEED_SEQ_HEADER } from '../../common/live/protocol.ts';
import { tokenCalls } from '../../common/tokens/http.ts';
import type { Token } from '../../common/tokens/model.ts';
import { createAppStore, type Store } from '../store.ts';
import { fakeServerPerTest } from '../testing/fake-server.ts';
import { linkAtom, listAtoms, loadAtoms, pollAtom, statsAtom } from './atoms/atoms.ts';
import { clockOffsetAtom } from './atoms/clock.ts';
import { freshnessOf } from './atoms/freshness.ts';
import { ACK_TIMEOUT_MS, REFUSED_RETRY_MS, SESSION_CHECK_MS } from './connection/connection.ts';
import { POLL_AFTER_MS, pollEvery } from './connection/polling.ts';
import { type Live, liveOf } from './live.ts';
import { PAGE_ROWS } from './model/loader.ts';
import { address, detail, stats, token } from './testing/build.ts';
import { added } from './testing/feed.ts';
import { type SocketServer, socketServer } from './testing/socket-server.ts';

let sockets: SocketServer;
const rest = fakeServerPerTest();
let store: Store;
let live: Live;
let stop: (() => void) | null = null;
const onUnauthenticated = vi.fn();

beforeEach(async () => {
  onUnauthenticated.mockClear();
  sockets = await socketServer();
  rest.answer(tokenCalls.stats, stats());
  lists([token(1), token(2)], 0);
  store = createAppStore();
  live = liveOf(store);
});

afterEach(async () => {
  stop?.();
  stop = null;
  await sockets.close();
  vi.useRealTimers();
});

function lists(tokens: Token[], seq: number, epoch = sockets.head.epoch): void {
  const headers = { [FEED_EPOCH_HEADER]: epoch, [FEED_SEQ_HEADER]: String(seq), 'X-Total-Count': '2' };
  for (const call of [tokenCalls.list, tokenCalls.new, tokenCalls.runners, tokenCalls.mightRun]) {
    rest.answer(call, tokens, headers);
  }
}

function start(): void {
  stop = live.start({ onUnauthenticated, url: sockets.url });
}

async function connected(): Promise<void> {
  start();
  await vi.waitFor(() => expect(store.get(linkAtom).phase).toBe('live'));
}

/** Fakes timers, which also advance in real time; sockets and animation frames stay real. */
function controlTime(): void {
  const toFake = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] as const;
  vi.useFakeTimers({ toFake: [...toFake], shouldAdvanceTime: true });
}

const rows = () => store.get(listAtoms.all).addresses;

describe('the live market over a real socket', () => {
  test("connects, takes the server's clock, and measures the round trip [P2]", async () => {
    await connected();
    await vi.waitFor(() => expect(store.get(linkAtom).roundTrip).toBeTypeOf('number'));
    expect(Math.abs(store.get(clockOffsetAtom))).toBeLessThan(1_000);
    expect(sockets.handshakes).toEqual([{ protocol: 2, encoding: 'arrays' }]);
    await vi.waitFor(() => expect(store.get(statsAtom)?.total).toBe(1_234));
  });

  test('is live once the server has taken its subscriptions [L3]', async () => {
    live.topics.join(`token:${address(1)}`);
    await connected();
    expect(sockets.received).toContainEqual({ event: 'subscribe', input: { topic: `token:${address(1)}` } });
  });

  test('applies events to a list that was fetched before them [F3]', async () => {
    await connected();
    await live.loader.load('all');
    sockets.emit(added(1, 0));
    await vi.waitFor(() => expect(rows()).toEqual([address(0), address(1), address(2)]));
    expect(store.get(live.tokens.atom(address(0)))?.name).toBe('Token 0');
    expect(store.get(listAtoms.all).total).toBe(3);
  });

  test('passes a room event to the handlers of its name, until they end it', async () => {
    const risk = detail(1).risk;
    const handled: unknown[] = [];
    const end = live.on('token-risk', (payload) => handled.push(payload));
    live.on('token-trades', () => handled.push('trades'));
    await connected();
    sockets.io.emit('token-risk', { address: address(1), version: 2, risk });
    await vi.waitFor(() => expect(handled).toEqual([{ address: address(1), version: 2, risk }]));
    end();
    sockets.io.emit('token-risk', { address: address(1), version: 3, risk });
    sockets.io.emit('token-trades', { address: address(1), trades: [] });
    await vi.waitFor(() => expect(handled.at(-1)).toBe('trades'));
    expect(handled).toHaveLength(2);
  });

  test('a reconnect sends its position and resumes from it [F2]', async () => {
    await connected();
    await live.loader.load('all');
    sockets.emit(added(1, 0));
    await vi.waitFor(() => expect(rows()).toHaveLength(3));
    for (const socket of sockets.io.sockets.sockets.values()) socket.conn.close();
    await vi.waitFor(() => expect(sockets.handshakes).toHaveLength(2));
    expect(sockets.handshakes[1]).toEqual({ protocol: 2, encoding: 'arrays', epoch: 'epoch-1', seq: 1 });
  });

  test('a gap requests a replay, and the list is incomplete until it arrives [F4]', async () => {
    await connected();
    live.shownLists.add('all', pollEvery.listPage);
    await live.loader.load('all');
    sockets.emit(added(3, 0));
    await vi.waitFor(() => expect(store.get(listAtoms.all).complete).toBe(false));
    const request = { event: 'replay', input: { epoch: 'epoch-1', seq: 0 } };
    await vi.waitFor(() => expect(sockets.received).toContainEqual(request));
    expect(rows()).not.toContain(address(0));
    sockets.log = [added(1, 4), added(2, 3), added(3, 0)];
    await vi.waitFor(() => expect(store.get(listAtoms.all).complete).toBe(true));
    expect(rows()).toEqual([0, 1, 2, 3, 4].map(address));
  });

  test('a list that was fetched before the connection is updated at once [F3, F4]', async () => {
    sockets.head = { epoch: 'epoch-1', seq: 2 };
    sockets.log = [added(1, 4), added(2, 0)];
    const admit = sockets.hold();
    start();
    // The handshake names no position, since the list arrives after it.
    await vi.waitFor(() => expect(sockets.handshakes).toEqual([{ protocol: 2, encoding: 'arrays' }]));
    await live.loader.load('all');
    // No timer fires meanwhile: a request that waited for one would never be sent.
    vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval'] });
    const requested = new Promise((resolve) => sockets.io.on('connection', (socket) => socket.on('replay', resolve)));
    admit();
    await requested;
    vi.useRealTimers();
    await vi.waitFor(() => expect(rows()).toEqual([0, 1, 2, 4].map(address)));
    expect(sockets.handshakes).toHaveLength(1);
  });

  test('a resync fetches the lists of open pages again and drops the others [F2]', async () => {
    await connected();
    live.shownLists.add('all', pollEvery.listPage);
    await live.loader.load('all');
    await live.loader.load('runners');
    lists([token(7)], 9);
    sockets.io.emit('resync', { reason: 'too-old' });
    await vi.waitFor(() => expect(rows()).toEqual([address(7)]));
    expect(store.get(listAtoms.runners).fetchedAt).toBeNull();
    sockets.emit(added(10, 0));
    await vi.waitFor(() => expect(rows()).toEqual([address(0), address(7)]));
  });

  test('a new epoch fetches lists again [F2]', async () => {
    await connected();
    live.shownLists.add('all', pollEvery.listPage);
    await live.loader.load('all');
    const lost = vi.fn();
    live.onResync(lost);
    sockets.head = { epoch: 'epoch-2', seq: 4 };
    lists([token(8)], 4);
    for (const socket of sockets.io.sockets.sockets.values()) socket.conn.close();
    await vi.waitFor(() => expect(rows()).toEqual([address(8)]));
    expect(store.get(listAtoms.all).complete).toBe(true);
    expect(lost).toHaveBeenCalledTimes(1);
  });

  test('a new epoch of a connected server fetches lists again, and follows its events [L2, F2]', async () => {
    live.shownLists.add('all', pollEvery.listPage);
    await connected();
    await live.loader.load('all');
    sockets.head = { epoch: 'epoch-2', seq: 0 };
    lists([token(3)], 0);
    sockets.io.emit('hello', { protocol: 2, ...sockets.head, serverTime: Date.now(), user: sockets.user });
    sockets.io.emit('resync', { reason: 'epoch' });
    await vi.waitFor(() => expect(rows()).toEqual([address(3)]));
    sockets.emit(added(1, 4));
    await vi.waitFor(() => expect(rows()).toContain(address(4)));
    expect(sockets.handshakes).toHaveLength(1);
  });

  test('the return of the feed fetches failed lists and clears errors [F2]', async () => {
    const many = Array.from({ length: PAGE_ROWS }, (_, at) => token(at));
    lists(many, 0);
    await connected();
    await live.loader.load('all');
    rest.fail(tokenCalls.list, 'internal');
    rest.fail(tokenCalls.runners, 'internal');
    live.shownLists.add('runners', pollEvery.liveLists);
    await Promise.all([live.loader.loadOlder(), live.loader.load('all'), live.loader.load('runners')]);
    expect(store.get(loadAtoms.all)).toMatchObject({ error: expect.any(String), olderError: expect.any(String) });
    lists([token(1)], 0);
    for (const socket of sockets.io.sockets.sockets.values()) socket.conn.close();
    await vi.waitFor(() => expect(store.get(listAtoms.runners).addresses).toEqual([address(1)]));
    expect(store.get(loadAtoms.all)).toMatchObject({ error: null, olderError: null });
    expect(rows()).toHaveLength(PAGE_ROWS);
  });

  test('polls with a response during the first attempt count after it has failed [P1]', async () => {
    sockets.refusal = 'unavailable';
    start();
    const { since } = store.get(linkAtom);
    store.set(pollAtom, { active: true, respondedAt: since, failedAt: null });
    await vi.waitFor(() => expect(store.get(linkAtom).phase).toBe('down'));
    expect(store.get(linkAtom).since).toBe(since);
    expect(freshnessOf(store.get(linkAtom), store.get(pollAtom), true, since + 9).state).toBe('polling');
  });

  test('checks the session before it reconnects after the server ended the connection [L1]', async () => {
    controlTime();
    let checked: () => void = () => {};
    const onEnded = vi.fn(
      () =>
        new Promise<void>((resolve) => {
          checked = resolve;
        }),
    );
    stop = live.start({ onUnauthenticated, onEnded, url: sockets.url });
    await vi.waitFor(() => expect(store.get(linkAtom).phase).toBe('live'));
    sockets.io.disconnectSockets(true);
    await vi.waitFor(() => expect(store.get(linkAtom).phase).toBe('down'));
    await vi.advanceTimersByTimeAsync(SESSION_CHECK_MS);
    expect(onEnded).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(REFUSED_RETRY_MS);
    expect(onEnded).toHaveBeenCalledTimes(1);
    expect(sockets.handshakes).toHaveLength(1);
    checked();
    await vi.waitFor(() => expect(store.get(linkAtom).phase).toBe('live'));
    expect(sockets.handshakes).toHaveLength(2);
  });

  test('a refusal without a session ends the session [L1]', async () => {
    sockets.refusal = 'unauthenticated';
    start();
    await vi.waitFor(() => expect(onUnauthenticated).toHaveBeenCalled());
  });

  test('another protocol version stops reconnecting [L2]', async () => {
    sockets.refusal = 'protocol';
    start();
    await vi.waitFor(() => expect(store.get(linkAtom).phase).toBe('wrong-version'));
  });

  test('subscribes to topics, and again after a reconnect [L3]', async () => {
    const leave = live.topics.join(`token:${address(1)}`);
    await connected();
    const subscribe = { event: 'subscribe', input: { topic: `token:${address(1)}` } };
    await vi.waitFor(() => expect(sockets.received).toEqual([subscribe]));
    for (const socket of sockets.io.sockets.sockets.values()) socket.conn.close();
    await vi.waitFor(() => expect(sockets.received).toEqual([subscribe, subscribe]));
    leave();
    await vi.waitFor(() => expect(sockets.received.at(-1)?.event).toBe('unsubscribe'));
  });

  test('polls after 3 s without the feed, until it returns [P1]', async () => {
    controlTime();
    sockets.refusal = 'unavailable';
    live.shownLists.add('all', pollEvery.listPage);
    start();
    await vi.waitFor(() => expect(store.get(linkAtom).phase).toBe('down'));
    expect(store.get(pollAtom).active).toBe(false);
    await vi.advanceTimersByTimeAsync(POLL_AFTER_MS);
    await vi.waitFor(() => expect(store.get(pollAtom).respondedAt).not.toBeNull());
    await vi.waitFor(() => expect(rows()).toEqual([address(1), address(2)]));
    expect(store.get(linkAtom).phase).toBe('down');
    sockets.refusal = null;
    await vi.advanceTimersByTimeAsync(REFUSED_RETRY_MS);
    await vi.waitFor(() => expect(store.get(linkAtom).phase).toBe('live'));
    expect(store.get(pollAtom).active).toBe(false);
  });

  test('reconnects when an echo gets no response', async () => {
    controlTime();
    sockets.acksEcho = false;
    await connected();
    expect(sockets.handshakes).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(ACK_TIMEOUT_MS);
    await vi.waitFor(() => expect(sockets.handshakes.length).toBeGreaterThan(1));
  });

  test('a start after a stop, for another user, fetches the lists of open pages', async () => {
    live.shownLists.add('all', pollEvery.listPage);
    await connected();
    await vi.waitFor(() => expect(rows()).toHaveLength(2));
    stop?.();
    expect(rows()).toEqual([]);
    await connected();
    await vi.waitFor(() => expect(rows()).toHaveLength(2));
  });

  test('a stop ends the connection and drops all data', async () => {
    await connected();
    await live.loader.load('all');
    stop?.();
    stop = null;
    await vi.waitFor(() => expect(sockets.connections()).toBe(0));
    expect(rows()).toEqual([]);
    expect(store.get(statsAtom)).toBeNull();
    expect(store.get(live.tokens.atom(address(1)))).toBeNull();
  });
});
