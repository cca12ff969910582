import type { FeedCursor } from '../../../common/live/protocol.ts';

/** After a resumed connection the server replays by itself (F2): only what is missing after this long is asked for. */
export const RESUME_GRACE_MS = 1_000;
/** A replay that brought nothing for this long is asked for again. */
const ASK_AGAIN_MS = 2_000;
/** So many requests without any event in answer: the events are given up and lists are fetched again. */
const ASKS_MAX = 3;

/** Closes gaps in the numbered feed (F4): asks for a replay, and gives up when none comes. */
export interface GapCloser {
  /** Something arrived: looks whether events are missing, and asks for them after `graceMs` at the latest. */
  look(graceMs: number): void;
  stop(): void;
}

export interface GapDeps {
  /** The place after which events are missing; null while none are. */
  missing: () => FeedCursor | null;
  ask: (place: FeedCursor) => void;
  giveUp: () => void;
  later: (run: () => void, ms: number) => () => void;
}

export function createGapCloser({ missing, ask, giveUp, later }: GapDeps): GapCloser {
  let cancel: (() => void) | null = null;
  let asks = 0;
  let askedAfter = -1;

  function stop(): void {
    cancel?.();
    cancel = null;
    asks = 0;
  }

  function attempt(): void {
    cancel = null;
    const place = missing();
    if (!place) {
      stop();
      return;
    }
    if (place.seq !== askedAfter) asks = 0;
    askedAfter = place.seq;
    if (asks >= ASKS_MAX) {
      stop();
      giveUp();
      return;
    }
    asks += 1;
    cancel = later(attempt, ASK_AGAIN_MS);
    ask(place);
  }

  return {
    look(graceMs) {
      if (!missing()) stop();
      else if (cancel === null && graceMs === 0) attempt();
      else if (cancel === null) cancel = later(attempt, graceMs);
    },
    stop,
  };
}
