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
  const intervals = new Map<Subject, number[]>();
  return {
    add(subject, everyMs) {
      intervals.set(subject, [...(intervals.get(subject) ?? []), everyMs]);
      let active = true;
      return () => {
        if (!active) return;
        active = false;
        const rest = [...(intervals.get(subject) ?? [])];
        rest.splice(rest.indexOf(everyMs), 1);
        if (rest.length > 0) intervals.set(subject, rest);
        else intervals.delete(subject);
      };
    },
    has: (subject) => intervals.has(subject),
    interval: (subject) => {
      const all = intervals.get(subject);
      return all ? Math.min(...all) : null;
    },
    subjects: () => [...intervals.keys()],
  };
}
