import { PublicError } from '../../common/errors.ts';
import type { UserRecord } from '../users/model.ts';

/**
 * Lets users pass to what is theirs, and administrators to everybody's (decision 13). Anyone else is `forbidden`, whether
 * that user exists or not.
 */
export function requireOwn(caller: UserRecord, userId: string): void {
  if (!caller.isAdmin) requireSelf(caller, userId);
}

/** Lets only the user themselves pass: for what not even an administrator may do in their name. */
export function requireSelf(caller: UserRecord, userId: string): void {
  if (caller._id.toHexString() !== userId) throw new PublicError('forbidden');
}
