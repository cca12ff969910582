import { z } from 'zod';
import { serverTradingSchema } from './account.ts';
import { reasonCodes } from './reasons.ts';

/** State of trading for administrators. Times in ms; null without a sample. */
export const tradingStatusSchema = z.strictObject({
  server: serverTradingSchema,
  /** `locked`: real buying is refused, since the launchpad's program answered in an unknown way. */
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
});
export type TradingStatus = z.infer<typeof tradingStatusSchema>;
