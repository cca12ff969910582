import type { ListName } from './lists.ts';

/** Data that a page shows and polls while the feed is down: a list, or the totals. */
export type Subject = ListName | 'stats';

/** Subjects of the open pages, each with its polling interval in ms. */
export interface ShownLists {
  /** Adds what a page shows. Returns the function that removes it. */
  add(subject: Subject, everyMs: number): () => void;
  has(subject: Subject): boolean;
  /** Shortest interval of the pages that show it; null without any. */
  interval(subject: Subject): number | null;
  subjects(): Subject[];
}

export function createShownLists(): ShownLists {
  const shown = new Set<{ subject: Subject; everyMs: number }>();
  const subjects = () => [...new Set([...shown].map(({ subject }) => subject))];
  return {
    add(subject, everyMs) {
      const one = { subject, everyMs };
      shown.add(one);
      return () => void shown.delete(one);
    },
    has: (subject) => subjects().includes(subject),
    interval: (subject) => {
      const intervals = [...shown].filter((one) => one.subject === subject).map(({ everyMs }) => everyMs);
      return intervals.length === 0 ? null : Math.min(...intervals);
    },
    subjects,
  };
}
