import { z } from 'zod';
import { serverTradingSchema } from './account.ts';
import { reasonCodes } from './reasons.ts';

/**
 * What the tape does: `waiting` for the first step since the start; `behind`: it leaves steps out, since the disk is too slow;
 * `disk`: paused for a minute, since the disk refused a write; `full`: paused until the next hour.
 */
const tapeStates = ['recording', 'waiting', 'behind', 'disk', 'full'] as const;
export type TapeState = (typeof tapeStates)[number];

/** State of trading for administrators. Times in ms; null without a sample. */
export const tradingStatusSchema = z.strictObject({
  server: serverTradingSchema,
  /** `locked`: real buying is refused, since the launchpad's program responded in an unknown way, until it passes a test. */
  state: z.enum(['off', 'running', 'stopped', 'locked']),
  stoppedAt: z.iso.datetime().nullable(),
  /** Orders that are not over, by status. */
  orders: z.strictObject({ created: z.int(), held: z.int(), sent: z.int(), unknown: z.int() }),
  /** Creation of the oldest order that is not over. */
  oldestAt: z.iso.datetime().nullable(),
  today: z.strictObject({
    confirmed: z.int(),
    failed: z.int(),
    /** Failures by reason. */
    failures: z.partialRecord(z.enum(reasonCodes), z.int()),
  }),
  /** Created → first sent, and first sent → verdict, of the last 200 orders. */
  decisionMs: z.strictObject({ p50: z.number().nullable(), p99: z.number().nullable() }),
  confirmationMs: z.strictObject({ p50: z.number().nullable(), p99: z.number().nullable() }),
  /** Rules and strategies that buy; null where nothing decides for them. */
  engine: z
    .strictObject({
      /** Whether this process decides: it has the lease, and what it needs is loaded. */
      isDeciding: z.boolean(),
      /** Active ones. */
      rules: z.int(),
      strategies: z.int(),
      /** Tokens that one of them considers. */
      tokens: z.int(),
      /** Pairs of a plan and a token whose conditions are met, and which a limit or guard refuses. */
      candidates: z.int(),
      /** Prices and facts judged, of the last 10 s. */
      evaluatedPerSecond: z.number(),
      /** From the figures of a decision until its order was stored, of the last 200 orders. */
      lagMs: z.strictObject({ p50: z.number().nullable(), p99: z.number().nullable() }),
    })
    .nullable(),
  /** The recording of hours for replays; null where none are kept. */
  tape: z
    .strictObject({
      state: z.enum(tapeStates),
      /** Recorded hours, in full or in part, with the size of their files and the times in which nothing was recorded. */
      hours: z.int(),
      bytes: z.int(),
      gaps: z.int(),
      /** Time of the last entry that was written; null before the first one since the start. */
      lastAt: z.iso.datetime().nullable(),
    })
    .nullable(),
});
export type TradingStatus = z.infer<typeof tradingStatusSchema>;
