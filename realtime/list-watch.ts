import type { ListUpdates } from '../common/live/lists.ts';
import type { FeedEntry } from './feed-log/feed-log.ts';

/** What changed in a list since the call before. */
export type ListChange = Omit<ListUpdates, 'epoch' | 'from' | 'to'>;

/** Follows filtered lists. The gateway opens each once, for any number of clients. */
export interface ListWatch {
  /** Begins to follow a list. The name is valid. */
  open(list: string): void;
  close(list: string): void;
  /**
   * Returns what changed in each open list, also where nothing did. At most one of the entries has updates of tokens. `isLast`: no
   * further entries of the same batch follow. The present members are those after the batch, so that tokens enter and leave with its
   * last entries alone.
   */
  advance(entries: readonly FeedEntry[], isLast: boolean): ListChange[];
}
