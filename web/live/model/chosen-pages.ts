import { compareRanks, type Rank, type SortOrder } from '../../../common/tokens/order.ts';

/** How far a response reaches in a sorted list. */
export interface PageEnd {
  /** Place of its last row; null when it has none. */
  end: Rank | null;
  /** Cursor of the page after it; null at the end of the list. */
  next: string | null;
}

/** The loaded pages of a sorted list: each begins where the one before ends, also after that has been fetched again. */
interface ChosenPages {
  size(): number;
  /** Returns the cursor that page `at` follows; null for the first. */
  after(at: number): string | null;
  /** Returns the number of the page that has this place; of the last one for places beyond it. */
  pageOf(place: Rank): number;
  /**
   * Takes a response to the request of page `at`. Later pages that it reaches are dropped. What it does not reach of the
   * last page becomes a page of its own, so that the loaded rows never end earlier.
   */
  take(at: number, page: PageEnd): void;
  /** Returns a test for the places that the response to page `at` decides: those within it, and those beyond the loaded rows. */
  covers(at: number): (place: Rank) => boolean;
  /** Place of the last loaded row; null when all rows are loaded. */
  border(): Rank | null;
  /** Cursor of the page after the last one; null at the end. */
  next(): string | null;
}

export function createChosenPages(order: SortOrder): ChosenPages {
  let pages: PageEnd[] = [];
  const last = () => pages.at(-1);
  const border = () => (last()?.next == null ? null : (last()?.end ?? null));
  const isAfter = (one: Rank, other: Rank) => compareRanks(one, other, order) > 0;
  return {
    size: () => pages.length,
    after: (at) => pages[at - 1]?.next ?? null,
    pageOf(place) {
      const at = pages.findIndex(({ end }) => end !== null && !isAfter(place, end));
      return at < 0 ? Math.max(0, pages.length - 1) : at;
    },
    take(at, page) {
      const { end, next } = page;
      const isAhead = (other: PageEnd) =>
        next !== null && end !== null && other.end !== null && isAfter(other.end, end);
      const later = pages.slice(at + 1).filter(isAhead);
      const rest = later.length > 0 ? later : pages.slice(at, at + 1).filter(isAhead);
      pages = [...pages.slice(0, at), page, ...rest];
    },
    covers(at) {
      const from = pages[at - 1]?.end ?? null;
      const to = pages[at]?.next == null ? null : (pages[at]?.end ?? null);
      const beyond = border();
      return (place) =>
        ((from === null || isAfter(place, from)) && (to === null || !isAfter(place, to))) ||
        (beyond !== null && isAfter(place, beyond));
    },
    border,
    next: () => last()?.next ?? null,
  };
}
