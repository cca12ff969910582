import type { Interest, Subject } from '../model/subscriptions.ts';

/** A socket that is back sooner was hardly away: polling begins after this long (P1). */
export const POLL_AFTER_MS = 3_000;
/** How often a page looks whether a subject's interval has passed. */
const CHECK_EVERY_MS = 1_000;
/** Totals are polled whatever page is open: their answer tells that the server is reachable and how old the data is. */
const HEARTBEAT_EVERY_MS = 30_000;

/** Intervals of the specification (section 7.1), ms. */
export const pollEvery = { listPage: 30_000, dashboard: 60_000, liveLists: 30_000 } as const;

export interface Polling {
  /** The socket is down; polls after `POLL_AFTER_MS` unless `up` comes first. */
  down(): void;
  /** The socket is back: no further poll is started. */
  up(): void;
}

export interface PollingDeps {
  interest: Interest;
  /** Fetches a subject; tells whether the server answered. */
  poll: (subject: Subject) => Promise<boolean>;
  now: () => number;
  onChange: (change: { active?: boolean; answeredAt?: number; failedAt?: number }) => void;
}

/** Fetches what pages look at while the feed is down (P1). Each subject once at the start, then by its interval. */
export function createPolling({ interest, poll, now, onChange }: PollingDeps): Polling {
  const askedAt = new Map<Subject, number>();
  let waiting: ReturnType<typeof setTimeout> | null = null;
  let checking: ReturnType<typeof setInterval> | null = null;

  function check(): void {
    const subjects = new Set<Subject>([...interest.subjects(), 'stats']);
    for (const subject of subjects) {
      const every = interest.interval(subject) ?? HEARTBEAT_EVERY_MS;
      const last = askedAt.get(subject);
      if (last !== undefined && now() - last < every) continue;
      askedAt.set(subject, now());
      void poll(subject).then((answered) => {
        // An answer after the socket's return says nothing about polling any more.
        if (checking) onChange(answered ? { answeredAt: now() } : { failedAt: now() });
      });
    }
  }

  function begin(): void {
    waiting = null;
    checking = setInterval(check, CHECK_EVERY_MS);
    onChange({ active: true });
    check();
  }

  return {
    down() {
      if (waiting || checking) return;
      waiting = setTimeout(begin, POLL_AFTER_MS);
    },
    up() {
      if (waiting) clearTimeout(waiting);
      if (checking) clearInterval(checking);
      const wasActive = checking !== null;
      waiting = null;
      checking = null;
      askedAt.clear();
      if (wasActive) onChange({ active: false });
    },
  };
}
