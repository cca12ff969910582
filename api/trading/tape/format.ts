import { z } from 'zod';
import { HOUR } from '../../../common/time.ts';
import type { Change, CorePrice } from '../plans/core/model.ts';

/** Raised whenever a change gets another form: hours of another version are not replayed. */
export const TAPE_VERSION = 5;

/**
 * Returns the part of a change that the tape records: figures of the market. Null for everything of users, whose plans, money and
 * lists a run brings with it.
 */
export function recordedOf(change: Change): Change | null {
  switch (change.type) {
    case 'token':
    case 'price':
    case 'facts':
    case 'history':
    case 'gone':
    case 'source':
    case 'rent':
    case 'kept':
      return change;
    case 'plan':
    case 'plan-removed':
    case 'account':
    case 'account-removed':
    case 'lists':
    case 'order':
    case 'tried':
    case 'stop-all':
    case 'database':
      return null;
  }
}

/** One entry of the tape, in the order in which they were recorded. Times are epoch ms. */
export type TapeEntry =
  /** The state of the market at a time, with which a new core begins. */
  | { type: 'begin'; at: number; changes: Change[] }
  | { type: 'tick'; now: number; changes: Change[] }
  /** Nothing was recorded in between. A `begin` follows. */
  | { type: 'gap'; from: number; to: number };

const reserves = z.tuple([z.number(), z.number(), z.number(), z.number()]);
type PriceTuple = [
  address: string,
  at: number,
  price: number | null,
  liquidity: number | null,
  reserves: z.infer<typeof reserves> | null,
  venue: CorePrice['venue'],
  stage: CorePrice['stage'],
];
/** A change as written. Prices, by far the most frequent, are lists. */
type WrittenChange = PriceTuple | Exclude<Change, { type: 'price' }>;

// The tape is read by the version that wrote it, and millions of changes are too many to check each.
const writtenChange = z.custom<WrittenChange>((value) => typeof value === 'object' && value !== null);
const changes = z.array(writtenChange);

/** A line of the tape. */
const lineSchema = z.union([
  z.object({ t: z.number(), c: changes.optional() }),
  z.object({ s: changes }),
  z.object({ b: z.number() }),
  z.object({ v: z.number() }),
]);
export type TapeLine = z.infer<typeof lineSchema>;

/** Returns the line of a text; null when it is none, as the last one of a file that a crash has cut off. */
export function lineOf(text: string): TapeLine | null {
  try {
    const parsed = lineSchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** Returns a line as text, with its end. */
export function textOf(line: TapeLine): string {
  return `${JSON.stringify(line)}\n`;
}

/** Returns a change as it is written. */
export function written(change: Change): WrittenChange {
  if (change.type !== 'price') return change;
  const { address, at, price, liquidity, reserves: depth, venue, stage } = change.price;
  const four = depth && reservesTuple(depth);
  return [address, at, price, liquidity, four, venue, stage];
}

const reservesTuple = ({ virtualQuote, virtualToken, realQuote, realToken }: NonNullable<CorePrice['reserves']>) =>
  [virtualQuote, virtualToken, realQuote, realToken] satisfies z.infer<typeof reserves>;

/** Returns a change as the core takes it. */
export function readChange(change: WrittenChange): Change {
  if (!Array.isArray(change)) return change;
  const [address, at, price, liquidity, four, venue, stage] = change;
  const depth = four && { virtualQuote: four[0], virtualToken: four[1], realQuote: four[2], realToken: four[3] };
  return { type: 'price', price: { address, at, price, liquidity, reserves: depth, venue, stage } };
}

/** Returns the name of the hour (UTC) of a time, such as `2026-11-23T05`. */
export function hourOf(now: number): string {
  return new Date(now).toISOString().slice(0, 13);
}

/** Returns the begin of an hour, epoch ms. */
export function hourBegin(hour: string): number {
  return Date.parse(`${hour}:00:00.000Z`);
}

/** Returns the end of an hour, epoch ms. */
export function hourEnd(hour: string): number {
  return hourBegin(hour) + HOUR;
}
