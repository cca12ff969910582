import type { ShownLists, Subject } from '../model/shown-lists.ts';

/** Delay before polling starts, ms: most interruptions are shorter (P1). */
export const POLL_AFTER_MS = 3_000;
/** Interval of looking for due subjects. */
const CHECK_EVERY_MS = 1_000;
/** Interval of the totals. They are polled on every page, since their response shows that the server is reachable. */
const HEARTBEAT_EVERY_MS = 30_000;

/** Intervals of the specification (section 7.1), ms. */
export const pollEvery = { listPage: 30_000, dashboard: 60_000, liveLists: 30_000 } as const;

export interface Polling {
  /** The socket is down: polls after `POLL_AFTER_MS`, unless `stop` comes first. */
  start(): void;
  /** The socket is back, or the feed ends: starts no further poll. */
  stop(): void;
}

interface PollingDeps {
  shownLists: ShownLists;
  /** Fetches a subject; resolves with whether the server responded. */
  poll: (subject: Subject) => Promise<boolean>;
  now: () => number;
  onChange: (change: { active?: boolean; respondedAt?: number; failedAt?: number }) => void;
}

/** Fetches the subjects of the open pages while the feed is down (P1): each once at the start, then at its interval. */
export function createPolling({ shownLists, poll, now, onChange }: PollingDeps): Polling {
  const polledAt = new Map<Subject, number>();
  let startTimer: ReturnType<typeof setTimeout> | null = null;
  let checkTimer: ReturnType<typeof setInterval> | null = null;

  function check(): void {
    const subjects = new Set<Subject>([...shownLists.subjects(), 'stats']);
    for (const subject of subjects) {
      const every = shownLists.interval(subject) ?? HEARTBEAT_EVERY_MS;
      const last = polledAt.get(subject);
      if (last !== undefined && now() - last < every) continue;
      polledAt.set(subject, now());
      void poll(subject).then((responded) => {
        // A response after the socket's return is no longer about polling.
        if (checkTimer) onChange(responded ? { respondedAt: now() } : { failedAt: now() });
      });
    }
  }

  function startPolls(): void {
    startTimer = null;
    checkTimer = setInterval(check, CHECK_EVERY_MS);
    onChange({ active: true });
    check();
  }

  return {
    start() {
      if (startTimer || checkTimer) return;
      startTimer = setTimeout(startPolls, POLL_AFTER_MS);
    },
    stop() {
      if (startTimer) clearTimeout(startTimer);
      if (checkTimer) clearInterval(checkTimer);
      const wasActive = checkTimer !== null;
      startTimer = null;
      checkTimer = null;
      polledAt.clear();
      if (wasActive) onChange({ active: false });
    },
  };
}
