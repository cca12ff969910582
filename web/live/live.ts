import type { RoomPayload } from '../../common/live/events.ts';
import type { Topic } from '../../common/live/rooms.ts';
import { tokenCalls } from '../../common/tokens/http.ts';
import { queryClientAtom, type Store, useStore } from '../store.ts';
import { type Applier, createApplier } from './atoms/atom-writer.ts';
import { createTokenAtoms, linkAtom, loadAtoms, pollAtom, statsAtom, type TokenAtoms } from './atoms/atoms.ts';
import { clockOffsetAtom } from './atoms/clock.ts';
import { type Connection, connect } from './connection/connection.ts';
import { createGapCloser, RESUME_GRACE_MS } from './connection/gap.ts';
import { watchNetwork } from './connection/network.ts';
import { createPolling } from './connection/polling.ts';
import { createTopics, type Topics } from './connection/topics.ts';
import { listNames } from './model/lists.ts';
import { createLoader, type Loader } from './model/loader.ts';
import { createFeedModel, type FeedModel } from './model/model.ts';
import { createInterest, type Interest } from './model/subscriptions.ts';

/** Totals come with no event: what events can't tell (tokens that grow older than an hour) is fetched this often. */
const STATS_EVERY_MS = 60_000;
/** A list that could not be fetched again after lost events is tried again this often. */
const RECOVER_EVERY_MS = 5_000;

/** What is said about single tokens, to this user and to administrators, beside the feed. */
export interface Said {
  trades(payload: RoomPayload<'token-trades'>): void;
  risk(payload: RoomPayload<'token-risk'>): void;
  userData(change: RoomPayload<'user-data'>): void;
  transaction(transaction: RoomPayload<'transaction'>): void;
  alert(payload: RoomPayload<'alert'>): void;
  botStatus(payload: RoomPayload<'bot-status'>): void;
  adminStats(payload: RoomPayload<'admin-stats'>): void;
  systemStatus(payload: RoomPayload<'system-status'>): void;
  maintenance(payload: RoomPayload<'maintenance'>): void;
  detectionStats(payload: RoomPayload<'detection-stats'>): void;
  /** Events were lost: what was built from them must be fetched again. */
  resync(): void;
}

interface StartOptions {
  onUnauthenticated: () => void;
  /** The server ended the connection: finds out who is signed in before another attempt. It never rejects. */
  onEnded?: () => Promise<void>;
  /** Where the server is; the origin of the page unless a test says otherwise. */
  url?: string;
}

/** The live market of one store: what pages read, and what keeps it up to date once `start` was called. */
export interface Live {
  readonly model: FeedModel;
  readonly tokens: TokenAtoms;
  readonly interest: Interest;
  readonly loader: Loader;
  readonly topics: Topics;
  readonly applier: Applier;
  /** Hears what is said beside the feed. Returns the way to stop. */
  listen(listener: Partial<Said>): () => void;
  /** Passes on to the listeners; the connection calls it. */
  readonly hear: Said;
  /** Connects and polls while the connection is down. Returns the way to stop, which also forgets everything. */
  start(options: StartOptions): () => void;
}

/** Runs a function later; returns the way to cancel it. */
function later(run: () => void, ms: number): () => void {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
}

function nextFrame(run: () => void): () => void {
  const frame = requestAnimationFrame(run);
  return () => cancelAnimationFrame(frame);
}

function createLive(store: Store): Live {
  const now = () => Date.now();
  /** Ages and lists go by the server's clock: that of the browser may be wrong. */
  const serverNow = () => Date.now() + store.get(clockOffsetAtom);
  const model = createFeedModel(serverNow);
  const tokens = createTokenAtoms();
  const interest = createInterest();
  const listeners = new Set<Partial<Said>>();
  let connection: Connection | null = null;
  const applier = createApplier({
    model,
    store,
    atoms: tokens,
    now,
    frame: nextFrame,
    setStats: ({ state }) => {
      store.set(statsAtom, state.stats.value);
      if (state.stats.value) store.get(queryClientAtom).setQueryData([tokenCalls.stats.path], state.stats.value);
    },
  });
  const hear: Said = {
    trades: (payload) => {
      for (const listener of listeners) listener.trades?.(payload);
    },
    risk: (payload) => {
      for (const listener of listeners) listener.risk?.(payload);
    },
    userData: (payload) => {
      for (const listener of listeners) listener.userData?.(payload);
    },
    transaction: (payload) => {
      for (const listener of listeners) listener.transaction?.(payload);
    },
    alert: (payload) => {
      for (const listener of listeners) listener.alert?.(payload);
    },
    botStatus: (payload) => {
      for (const listener of listeners) listener.botStatus?.(payload);
    },
    adminStats: (payload) => {
      for (const listener of listeners) listener.adminStats?.(payload);
    },
    systemStatus: (payload) => {
      for (const listener of listeners) listener.systemStatus?.(payload);
    },
    maintenance: (payload) => {
      for (const listener of listeners) listener.maintenance?.(payload);
    },
    detectionStats: (payload) => {
      for (const listener of listeners) listener.detectionStats?.(payload);
    },
    resync: () => {
      for (const listener of listeners) listener.resync?.();
    },
  };
  const touch = () => applier.touch();
  const loader = createLoader({ model, store, touch, later });
  const topics = createTopics((event, topic: Topic) => connection?.say(event, topic));

  function start({ onUnauthenticated, onEnded = () => Promise.resolve(), url }: StartOptions): () => void {
    const polling = createPolling({
      interest,
      now,
      poll: (subject) => {
        if (subject === 'stats') return loader.loadStats();
        // A search is asked for by typing, not by the clock.
        return subject === 'search' ? Promise.resolve(true) : loader.load(subject);
      },
      onChange: (change) => store.set(pollAtom, (before) => ({ ...before, ...change })),
    });
    const gap = createGapCloser({
      missing: () => model.missing(),
      ask: (place) => connection?.replay(place),
      giveUp: resync,
      later,
    });
    let recovering: (() => void) | null = null;

    function resync(): void {
      model.resync();
      hear.resync();
      void loader.loadStats();
      recover();
    }

    /** Fetches lists again that lost events; those nobody looks at are forgotten instead. */
    function recover(): void {
      recovering?.();
      recovering = null;
      for (const name of [...model.outdated()]) {
        if (name === 'search') void loader.searchAgain();
        else if (!interest.has(name)) model.drop(name);
        else void loader.load(name);
      }
      touch();
      if (model.outdated().size > 0) recovering = later(recover, RECOVER_EVERY_MS);
    }

    /** Fetches what pages look at and don't have: it failed while the server was away, or went with another user's session. */
    function fetchMissing(): void {
      for (const name of listNames) {
        if (model.state.lists[name].fetchedAt !== null) continue;
        if (name !== 'search') {
          if (interest.has(name)) void loader.load(name);
        } else if (!store.get(loadAtoms.search).loading) void loader.searchAgain();
      }
    }

    function setPhase(phase: 'live' | 'down' | 'outdated'): void {
      const before = store.get(linkAtom);
      if (before.phase === phase) return;
      // A first attempt that failed does not begin anything: polls answered since the start still count.
      const goesOn = before.phase === 'connecting' && phase === 'down';
      store.set(linkAtom, { phase, since: goesOn ? before.since : now(), roundTrip: null });
    }

    store.set(linkAtom, { phase: 'connecting', since: now(), roundTrip: null });
    polling.down();
    connection = connect({
      url,
      cursor: () => model.cursor(),
      topics: () => topics.joined(),
      now,
      on: {
        hello(hello, resumed) {
          store.set(clockOffsetAtom, hello.serverTime - now());
          model.hello({ epoch: hello.epoch, seq: hello.seq });
          polling.up();
          setPhase('live');
          gap.look(resumed ? RESUME_GRACE_MS : 0);
          loader.forgive();
          recover();
          fetchMissing();
        },
        resync,
        event(entry) {
          model.event(entry);
          gap.look(0);
          touch();
        },
        trades: hear.trades,
        risk: hear.risk,
        userData: hear.userData,
        transaction: hear.transaction,
        alert: hear.alert,
        botStatus: hear.botStatus,
        adminStats: hear.adminStats,
        systemStatus: hear.systemStatus,
        maintenance: hear.maintenance,
        detectionStats: hear.detectionStats,
        down() {
          model.disconnected();
          gap.stop();
          polling.down();
          setPhase('down');
        },
        roundTrip: (ms) => store.set(linkAtom, (before) => ({ ...before, roundTrip: ms })),
        ended: onEnded,
        unauthenticated: onUnauthenticated,
        outdated: () => setPhase('outdated'),
        replayRefused: resync,
      },
    });
    fetchMissing();
    void loader.loadStats();
    const counting = setInterval(() => void loader.loadStats(), STATS_EVERY_MS);
    const stopWatching = watchNetwork(store, () => connection?.retry());

    return () => {
      stopWatching();
      clearInterval(counting);
      recovering?.();
      gap.stop();
      polling.up();
      connection?.stop();
      connection = null;
      loader.stop();
      applier.stop();
      for (const name of listNames) model.drop(name);
      model.state.tokens.clear();
      store.set(statsAtom, null);
      applier.flush();
    };
  }

  return {
    model,
    tokens,
    interest,
    loader,
    topics,
    applier,
    start,
    hear,
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

const lives = new WeakMap<Store, Live>();

/** The live market of a store, made at the first question; nothing runs before `start`. */
export function liveOf(store: Store): Live {
  const known = lives.get(store);
  if (known) return known;
  const live = createLive(store);
  lives.set(store, live);
  return live;
}

/** The live market of the page. */
export function useLiveMarket(): Live {
  return liveOf(useStore());
}
