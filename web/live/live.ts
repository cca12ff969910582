import { type Store, useStore } from '../store.ts';
import { createAtomWriter } from './atoms/atom-writer.ts';
import { createTokenAtoms, type TokenAtoms } from './atoms/atoms.ts';
import { clockOffsetAtom } from './atoms/clock.ts';
import type { Connection } from './connection/connection.ts';
import { createRoomEvents } from './connection/room-events.ts';
import { createTopics } from './connection/topics.ts';
import { type FeedParts, type StartOptions, startFeed } from './feed.ts';
import { createLoader } from './model/loader.ts';
import { createFeedModel } from './model/model.ts';
import { createShownLists } from './model/shown-lists.ts';

/** The live market of one store: the data of pages, kept up to date after `start`. */
export interface Live extends FeedParts {
  readonly tokens: TokenAtoms;
  /** Calls `handler` when events were lost, so that data built from them must be fetched again. Returns the function that ends it. */
  onResync(handler: () => void): () => void;
  /** Connects, and polls while the connection is down. Returns the function that stops and drops all data. */
  start(options: StartOptions): () => void;
}

function createLive(store: Store): Live {
  const now = () => Date.now();
  // Ages and lists follow the server's clock: the browser's may be wrong.
  const model = createFeedModel(() => now() + store.get(clockOffsetAtom));
  const tokens = createTokenAtoms();
  const shownLists = createShownLists();
  const resyncHandlers = new Set<() => void>();
  let connection: Connection | null = null;
  const writer = createAtomWriter({ model, store, atoms: tokens, now, frame: nextFrame });
  const live: Live = {
    ...createRoomEvents(),
    model,
    tokens,
    shownLists,
    loader: createLoader({ model, store, onChange: writer.schedule, later }),
    topics: createTopics((event, topic) => connection?.send(event, topic)),
    writer,
    onResync(handler) {
      resyncHandlers.add(handler);
      return () => void resyncHandlers.delete(handler);
    },
    resynced() {
      for (const handler of resyncHandlers) handler();
    },
    start(options) {
      const feed = startFeed({ store, live, now, later, options });
      connection = feed.connection;
      return () => {
        feed.stop();
        connection = null;
      };
    },
  };
  return live;
}

/** Runs a function after a delay; returns the function that cancels it. */
function later(run: () => void, ms: number): () => void {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
}

function nextFrame(run: () => void): () => void {
  const frame = requestAnimationFrame(run);
  return () => cancelAnimationFrame(frame);
}

const lives = new WeakMap<Store, Live>();

/** Returns the live market of a store, created on first use; nothing runs before `start`. */
export function liveOf(store: Store): Live {
  const known = lives.get(store);
  if (known) return known;
  const live = createLive(store);
  lives.set(store, live);
  return live;
}

/** Returns the live market of the page. */
export function useLiveMarket(): Live {
  return liveOf(useStore());
}
