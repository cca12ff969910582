import type { ListName } from './lists.ts';

/** What a page looks at and would poll while the feed is down: a list, or the totals. */
export type Subject = ListName | 'stats';

/** Which subjects pages look at now, and how often each is polled while the feed is down, ms. */
export interface Interest {
  /** Returns the way to lose interest. */
  add(subject: Subject, everyMs: number): () => void;
  has(subject: Subject): boolean;
  /** The shortest interval of those who look at it; null when nobody does. */
  interval(subject: Subject): number | null;
  subjects(): Subject[];
}

export function createInterest(): Interest {
  const wanted = new Map<Subject, number[]>();
  return {
    add(subject, everyMs) {
      wanted.set(subject, [...(wanted.get(subject) ?? []), everyMs]);
      let given = true;
      return () => {
        if (!given) return;
        given = false;
        const rest = [...(wanted.get(subject) ?? [])];
        rest.splice(rest.indexOf(everyMs), 1);
        if (rest.length > 0) wanted.set(subject, rest);
        else wanted.delete(subject);
      };
    },
    has: (subject) => wanted.has(subject),
    interval: (subject) => {
      const intervals = wanted.get(subject);
      return intervals ? Math.min(...intervals) : null;
    },
    subjects: () => [...wanted.keys()],
  };
}
