import type { FeedCursor } from '../../../common/live/protocol.ts';

/** Delay before missing events are requested after a resume, ms: the server replays them without a request (F2). */
export const RESUME_GRACE_MS = 1_000;
/** Delay before a replay that brought nothing is requested again, ms. */
const RETRY_MS = 2_000;
/** Requests without any event in response, after which lists are fetched again instead. */
const REQUESTS_MAX = 3;

/** Closes gaps in the numbered feed (F4): requests a replay, and gives up when none arrives. */
interface GapCloser {
  /** Called when something arrived: requests missing events after `graceMs` at the latest. */
  check(graceMs: number): void;
  stop(): void;
}

interface GapDeps {
  /** Position after which events are missing; null while none are. */
  missing: () => FeedCursor | null;
  request: (position: FeedCursor) => void;
  giveUp: () => void;
  /** Runs a function after a delay; returns the function that cancels it. */
  later: (run: () => void, ms: number) => () => void;
}

export function createGapCloser({ missing, request, giveUp, later }: GapDeps): GapCloser {
  let cancel: (() => void) | null = null;
  let requests = 0;
  let requestedAfter = -1;

  function stop(): void {
    cancel?.();
    cancel = null;
    requests = 0;
  }

  function attempt(): void {
    cancel = null;
    const position = missing();
    if (!position) {
      stop();
      return;
    }
    if (position.seq !== requestedAfter) requests = 0;
    requestedAfter = position.seq;
    if (requests >= REQUESTS_MAX) {
      stop();
      giveUp();
      return;
    }
    requests += 1;
    cancel = later(attempt, RETRY_MS);
    request(position);
  }

  return {
    check(graceMs) {
      if (!missing()) stop();
      else if (cancel === null && graceMs === 0) attempt();
      else if (cancel === null) cancel = later(attempt, graceMs);
    },
    stop,
  };
}
