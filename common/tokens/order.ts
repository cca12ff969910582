import { z } from 'zod';
import type { Token } from './model.ts';

/**
 * Figures that lists can be sorted by; `detected` is the creation, or the detection while the creation is unknown, `migrated` the
 * move into the pool.
 */
export const sortFieldSchema = z.enum([
  'price',
  'liquidity',
  'marketCap',
  'volume',
  'holders',
  'risk',
  'detected',
  'migrated',
]);
export type SortField = z.infer<typeof sortFieldSchema>;
export const sortOrderSchema = z.enum(['asc', 'desc']);
export type SortOrder = z.infer<typeof sortOrderSchema>;

/** A token's place in a sorted list. */
export interface Rank {
  /** The sorted figure; null while unknown. */
  value: number | null;
  /** Creation or detection, epoch ms: orders equal figures. */
  listedAt: number;
  address: string;
}

/** Returns the time that orders lists, epoch ms: creation, or detection while the creation is unknown. */
export function listedAt({ createdAt, detectedAt }: Pick<Token, 'createdAt' | 'detectedAt'>): number {
  return Date.parse(createdAt ?? detectedAt);
}

/** Returns the figure of a token that a list is sorted by; null while unknown. */
export function sortValue(token: Token, field: SortField): number | null {
  switch (field) {
    case 'price':
      return token.price;
    case 'liquidity':
      return token.currentLiquidity;
    case 'marketCap':
      return token.marketCap;
    case 'volume':
      return token.volume;
    case 'holders':
      return token.holderCount;
    case 'risk':
      return token.scamProbability;
    case 'detected':
      return listedAt(token);
    case 'migrated':
      return token.migratedAt === null ? null : Date.parse(token.migratedAt);
  }
}

/** Returns a token's place in the order of a field. */
export function rankOf(token: Token, field: SortField): Rank {
  return { value: sortValue(token, field), listedAt: listedAt(token), address: token.address };
}

/** Compares two places: unknown figures last in both orders, equal figures newest first, equal times by address. */
export function compareRanks(a: Rank, b: Rank, order: SortOrder): number {
  if (a.value !== b.value) {
    if (a.value === null) return 1;
    if (b.value === null) return -1;
    return order === 'asc' ? a.value - b.value : b.value - a.value;
  }
  if (a.listedAt !== b.listedAt) return b.listedAt - a.listedAt;
  if (a.address === b.address) return 0;
  return a.address < b.address ? 1 : -1;
}

const ADDRESS = '[1-9A-HJ-NP-Za-km-z]{32,44}';
const UNKNOWN = 'unknown';

/** A position in the newest-first order: `<creation or detection, epoch ms>_<address>` of the last row. */
export const newestCursorSchema = z
  .string()
  .regex(new RegExp(`^\\d{1,15}_${ADDRESS}$`), 'is not a cursor of this list');

/** A position in the order of a figure: `<figure or "unknown">_<creation or detection, epoch ms>_<address>` of the last row. */
export const figureCursorSchema = z
  .string()
  .regex(
    new RegExp(`^(?:${UNKNOWN}|\\d{1,21}(?:\\.\\d{1,25})?(?:e[+-]\\d{1,3})?)_\\d{1,15}_${ADDRESS}$`),
    'is not a cursor of this list',
  );

/** Returns whether a cursor has the form for lists sorted by the field. */
export function isCursorOf(cursor: string, field: SortField): boolean {
  return (field === 'detected' ? newestCursorSchema : figureCursorSchema).safeParse(cursor).success;
}

/** Returns the cursor of a place: of the newest-first order for `detected`, otherwise of the figure's. */
export function formatCursor({ value, listedAt: time, address }: Rank, byTime: boolean): string {
  return byTime ? `${time}_${address}` : `${value ?? UNKNOWN}_${time}_${address}`;
}

/** Returns the place that a checked cursor of either form stands for. */
export function parseCursor(cursor: string): Rank {
  const parts = cursor.split('_');
  const address = parts.pop() ?? '';
  const time = Number(parts.pop());
  const [figure = String(time)] = parts;
  return { value: figure === UNKNOWN ? null : Number(figure), listedAt: time, address };
}
