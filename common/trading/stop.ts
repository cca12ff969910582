import { z } from 'zod';
import { idSchema } from '../users/model.ts';
import { stoppedBySchema } from './account.ts';
import { lamportsSchema } from './amounts.ts';
import { orderTokenSchema } from './order.ts';
import { reasonSchema } from './reasons.ts';

/** The report of a stop: counts when it was acknowledged, then the sales that were requested with it. */
export const stopReportSchema = z.strictObject({
  id: idSchema,
  at: z.iso.datetime(),
  by: stoppedBySchema,
  /** Purchases cancelled before they were sent. */
  cancelled: z.int(),
  /** Sent purchases. They are followed to their end, without further attempts. */
  out: z.int(),
  sells: z.boolean(),
  /** Each open position when everything is to be sold, largest first. */
  positions: z.array(
    z.strictObject({
      positionId: idSchema,
      token: orderTokenSchema,
      /** Null until its order exists. */
      orderId: idSchema.nullable(),
      outcome: z.enum(['waiting', 'sold', 'failed', 'unknown']),
      /** Received; null until sold, and where another sale left nothing to sell. */
      lamports: lamportsSchema.nullable(),
      failure: reasonSchema.nullable(),
    }),
  ),
  /** Null while something is open. */
  endedAt: z.iso.datetime().nullable(),
  /** Rises with every change of this report. */
  version: z.int(),
});
export type StopReport = z.infer<typeof stopReportSchema>;
