import { z } from 'zod';
import { HOUR } from '../../../common/time.ts';
import { exitsSchema } from '../../../common/trading/account.ts';
import { attemptOutcomeSchema, orderSideSchema } from '../../../common/trading/machine.ts';
import { orderCauseSchema } from '../../../common/trading/order.ts';
import { reasonSchema } from '../../../common/trading/reasons.ts';
import type { Change, CorePrice } from '../core/model.ts';
import type { OrderRecord } from '../orders/record.ts';
import { firedSteps } from '../positions/exits/exit-record.ts';
import type { PositionRecord } from '../positions/record.ts';

/** Raised whenever a change gets another form: hours of another version are not replayed. */
export const TAPE_VERSION = 2;

const lamports = z.number();

/** An order on paper with what a replay needs to compute its fills: when each attempt fell due, and its bound. */
const tapeOrderSchema = z.object({
  /** Hexadecimal. */
  id: z.string(),
  userId: z.string(),
  key: z.string(),
  side: orderSideSchema,
  address: z.string(),
  wallet: z.string(),
  cause: orderCauseSchema,
  /** The position that it sells; null for a purchase, and for a share of a whole balance. */
  positionId: z.string().nullable(),
  lamports: lamports.nullable(),
  /** Base units. */
  tokens: z.string().nullable(),
  isWholePosition: z.boolean(),
  slippageBps: z.number(),
  /** Exits of the position that a purchase opens; null: the user's default ones. */
  exits: exitsSchema.nullable(),
  priorityMaxLamports: lamports,
  tipLamports: lamports,
  holdLamports: lamports,
  /** Epoch ms. */
  createdAt: z.number(),
  attempts: z.array(
    z.object({
      signature: z.string(),
      least: z.string(),
      /** Epoch ms. */
      signedAt: z.number(),
      sentAt: z.number(),
      dueAt: z.number(),
      /** Null while undecided. */
      outcome: attemptOutcomeSchema.nullable(),
    }),
  ),
  /** Why it ended without a trade; null otherwise. */
  failure: reasonSchema.nullable(),
  isOver: z.boolean(),
  /** Whether its money was refused. Missing in one of an earlier version. */
  isRefused: z.boolean().optional(),
});
export type TapeOrder = z.infer<typeof tapeOrderSchema>;

/** What the exits of an open position on paper have seen. */
const tapePositionSchema = z.object({
  /** Hexadecimal, as the next one. */
  id: z.string(),
  userId: z.string(),
  /** Highest price since it was opened, at least the price paid. SOL for one whole token. */
  peakPrice: z.number(),
  /** Rises (percent) of the steps that have fired. */
  stepsDone: z.array(z.number()),
  /** Whether an exit has fired that is not carried out. */
  isSelling: z.boolean(),
});
export type TapePosition = z.infer<typeof tapePositionSchema>;

/** One entry of the tape, in the order in which they were recorded. Times are epoch ms. */
export type TapeEntry =
  /** Changes that build the state of the core at a time, with which a new core begins, and the positions that were open then. */
  | { type: 'begin'; at: number; changes: Change[]; positions: TapePosition[] }
  | { type: 'tick'; now: number; changes: Change[] }
  | { type: 'order'; order: TapeOrder }
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
/** A change as written: prices, of which there are by far the most, as lists. */
type WrittenChange = PriceTuple | Exclude<Change, { type: 'price' }>;

// The tape is read by the version that wrote it, and millions of changes are too many to check each.
const writtenChange = z.custom<WrittenChange>((value) => typeof value === 'object' && value !== null);
const changes = z.array(writtenChange);

/** A line of the tape. */
const lineSchema = z.union([
  z.object({ t: z.number(), c: changes.optional() }),
  z.object({ o: tapeOrderSchema }),
  z.object({ s: changes }),
  z.object({ p: z.array(tapePositionSchema) }),
  z.object({ b: z.number() }),
  z.object({ g: z.tuple([z.number(), z.number()]) }),
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

/** Returns an open position as the tape records it; null for one that is not on paper. `peakPrice`: its highest price so far. */
export function tapePositionOf(position: PositionRecord, peakPrice: number): TapePosition | null {
  if (position.mode !== 'paper') return null;
  const ids = { id: position._id.toHexString(), userId: position.userId.toHexString() };
  return { ...ids, peakPrice, stepsDone: firedSteps(position), isSelling: position.exit !== null };
}

/** Returns an order as the tape records it; null for one that is not on paper, or has nothing to record yet. */
export function tapeOrderOf(order: OrderRecord): TapeOrder | null {
  const { mode, open, attempts, exits = null, times } = order;
  if (mode !== 'paper' || (open && attempts.length === 0)) return null;
  const { key, side, wallet, cause, lamports, tokens, isWholePosition, slippageBps, failure } = order;
  const { priorityMaxLamports, tipLamports, holdLamports } = order;
  return {
    id: order._id.toHexString(),
    userId: order.userId.toHexString(),
    positionId: soldPosition(order),
    address: order.token.address,
    ...{ key, side, wallet, cause, lamports, tokens, isWholePosition, slippageBps, exits, failure },
    ...{ priorityMaxLamports, tipLamports, holdLamports },
    createdAt: times.created,
    attempts: attempts.flatMap(({ signature, least, signedAt, firstSentAt, delayMs, outcome }) =>
      firstSentAt === null
        ? []
        : { signature, least, signedAt, sentAt: firstSentAt, dueAt: firstSentAt + (delayMs ?? 0), outcome },
    ),
    isOver: !open,
    isRefused: order.status === 'failed' && attempts.length === 0,
  };
}

/** Keys of sales by exits and stops, with the position that they were made to sell. */
const POSITION_KEY = /^(?:exit|stop:[^:]+):([\da-f]{24})(?::|$)/;

/**
 * Returns the position that a sale takes from first, hexadecimal; null for a purchase, and before the end of a sale that
 * names none. Exits and stops have it in their key, since the end of an order may set the field to another position.
 */
function soldPosition({ key, side, positionId }: OrderRecord): string | null {
  if (side === 'buy') return null;
  return POSITION_KEY.exec(key)?.[1] ?? positionId?.toHexString() ?? null;
}
