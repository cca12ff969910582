import type { ConnectionUser } from '../../common/live/events.ts';
import type { Store } from '../store.ts';
import type { AtomWriter } from './atoms/atom-writer.ts';
import { linkAtom, pollAtom } from './atoms/atoms.ts';
import { clockOffsetAtom } from './atoms/clock.ts';
import { type Connection, connect } from './connection/connection.ts';
import { createGapCloser, RESUME_GRACE_MS } from './connection/gap.ts';
import { watchNetwork } from './connection/network.ts';
import { createPolling, type Polling } from './connection/polling.ts';
import type { RoomEvents } from './connection/room-events.ts';
import type { Topics } from './connection/topics.ts';
import { listNames } from './model/lists.ts';
import type { Loader } from './model/loader.ts';
import type { FeedModel } from './model/model.ts';
import type { ShownLists } from './model/shown-lists.ts';

/** Interval of the totals, ms: no event reports tokens that grow older than an hour. */
const STATS_EVERY_MS = 60_000;
/** Delay before a list that could not be fetched after lost events is fetched again, ms. */
const RECOVER_EVERY_MS = 5_000;

export interface StartOptions {
  onUnauthenticated: () => void;
  /** The server ended the connection: finds out who is signed in before another attempt. Never rejects. */
  onEnded?: () => Promise<void>;
  /** A connection was admitted, as this user. */
  onAdmitted?: (user: ConnectionUser) => void;
  /** Address of the server; by default the origin of the page. */
  url?: string;
}

/** The parts of the live market that the feed keeps up to date. */
export interface FeedParts extends RoomEvents {
  readonly model: FeedModel;
  readonly shownLists: ShownLists;
  readonly loader: Loader;
  readonly topics: Topics;
  readonly writer: AtomWriter;
  /** Reports lost events to the pages; called by the feed. */
  resynced(): void;
}

interface FeedDeps {
  store: Store;
  live: FeedParts;
  now: () => number;
  /** Runs a function after a delay; returns the function that cancels it. */
  later: (run: () => void, ms: number) => () => void;
  options: StartOptions;
}

/** Connects the live market to the server, closes gaps, and polls while the connection is down. */
export function startFeed(deps: FeedDeps): { connection: Connection; stop: () => void } {
  const { store, live, now, later, options } = deps;
  const { model, loader, writer } = live;
  const polling = createFeedPolling(deps);
  const recovery = createRecovery(deps);
  const gap = createGapCloser({
    missing: () => model.missing(),
    request: (position) => connection.replay(position),
    giveUp: recovery.resync,
    later,
  });

  store.set(linkAtom, { phase: 'connecting', since: now(), roundTrip: null });
  polling.start();
  const connection = connect({
    url: options.url,
    cursor: () => model.cursor(),
    topics: () => live.topics.joined(),
    now,
    on: {
      hello(hello, resumed) {
        options.onAdmitted?.(hello.user);
        store.set(clockOffsetAtom, hello.serverTime - now());
        if (model.hello({ epoch: hello.epoch, seq: hello.seq })) live.resynced();
        polling.stop();
        gap.check(resumed ? RESUME_GRACE_MS : 0);
        loader.clearErrors();
        recovery.recover();
        fetchUnloaded(live);
      },
      joined: () => setPhase(store, 'live', now()),
      resync: recovery.resync,
      feedEvent(entry) {
        model.event(entry);
        gap.check(0);
        writer.schedule();
      },
      roomEvent: (entry) => live.receive(entry),
      down() {
        model.disconnected();
        gap.stop();
        polling.start();
        setPhase(store, 'down', now());
      },
      roundTrip: (ms) => store.set(linkAtom, (before) => ({ ...before, roundTrip: ms })),
      ended: options.onEnded ?? (() => Promise.resolve()),
      unauthenticated: options.onUnauthenticated,
      wrongVersion: () => setPhase(store, 'wrong-version', now()),
    },
  });
  fetchUnloaded(live);
  void loader.loadStats();
  const statsTimer = setInterval(() => void loader.loadStats(), STATS_EVERY_MS);
  const stopWatching = watchNetwork(store, () => connection.retry());

  return {
    connection,
    stop() {
      stopWatching();
      clearInterval(statsTimer);
      recovery.stop();
      gap.stop();
      polling.stop();
      connection.stop();
      dropAll(live);
    },
  };
}

function createFeedPolling({ store, live, now }: FeedDeps): Polling {
  return createPolling({
    shownLists: live.shownLists,
    now,
    poll: (subject) => (subject === 'stats' ? live.loader.loadStats() : live.loader.load(subject)),
    onChange: (change) => store.set(pollAtom, (before) => ({ ...before, ...change })),
  });
}

/** Fetches lists again after lost events, until each of them has succeeded. */
function createRecovery({ live, later }: FeedDeps) {
  const { model, loader } = live;
  let cancel: (() => void) | null = null;

  function stop(): void {
    cancel?.();
    cancel = null;
  }

  /** Fetches outdated lists; drops the ones that no page shows. */
  function recover(): void {
    stop();
    for (const name of [...model.outdated()]) {
      if (!live.shownLists.has(name)) model.drop(name);
      else void loader.load(name);
    }
    live.writer.schedule();
    if (model.outdated().size > 0) cancel = later(recover, RECOVER_EVERY_MS);
  }

  return {
    recover,
    resync(): void {
      model.resync();
      live.resynced();
      void loader.loadStats();
      recover();
    },
    stop,
  };
}

/** Fetches shown lists that are not loaded: an earlier call failed, or they were dropped at a logout. */
function fetchUnloaded({ model, loader, shownLists }: FeedParts): void {
  for (const name of listNames) {
    if (model.state.lists[name].fetchedAt === null && shownLists.has(name)) void loader.load(name);
  }
}

function setPhase(store: Store, phase: 'live' | 'down' | 'wrong-version', now: number): void {
  const before = store.get(linkAtom);
  if (before.phase === phase) return;
  // A failed first attempt starts no new phase: polls with a response since the start still count.
  const continues = before.phase === 'connecting' && phase === 'down';
  store.set(linkAtom, { phase, since: continues ? before.since : now, roundTrip: null });
}

function dropAll({ model, loader, writer }: FeedParts): void {
  loader.stop();
  writer.stop();
  for (const name of listNames) model.drop(name);
  model.state.tokens.clear();
  model.state.addresses.clear();
  model.state.stats = { value: null, countedTo: 0 };
  writer.flush();
}
