import { appendFileSync } from 'node:fs';

/** What a proof counts: each has to be 0. A count that it can't see is left out. */
interface Losses {
  /** Acknowledged writes that are gone. */
  writesLost?: number;
  /** Events that a client did not get, and without a resync after it. */
  eventsLost?: number;
  eventsDoubled?: number;
  /** Responses of 500 and above, without 503. */
  serverErrors?: number;
  /** Processes that ended by themselves. */
  crashes?: number;
}

/**
 * Adds the figures of a proof as one JSON line to the file of `PROOFS`, which `npm run test:soak` prints at its end; does nothing
 * without it. `size`: how much was done, such as rounds or clients.
 */
export function noteProof(proof: string, size: Readonly<Record<string, number>>, losses: Losses): void {
  const file = process.env.PROOFS;
  if (file) appendFileSync(file, `${JSON.stringify({ proof, ...size, ...losses })}\n`);
}
