import { z } from 'zod';

/** Address of a token: base58 of 32 bytes. */
export const mintSchema = z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/);

/** Of an authority that a service tells: nobody has it any more, somebody has it, or the service does not say. */
export function authority(holder: string | null | undefined): 'live' | 'revoked' | null {
  // Null is an answer; a blank one is none, and to take it for a safe one would be a guess.
  if (holder === undefined || holder?.trim() === '') return null;
  return holder === null ? 'revoked' : 'live';
}
