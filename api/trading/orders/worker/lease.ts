import { hostname } from 'node:os';
import { type Connection, type Model, Schema } from 'mongoose';
import type { Clock } from '../../../../common/time.ts';
import { isDuplicateKey } from '../../../platform/database.ts';

/** The right to work on orders, in `leases`. */
export interface LeaseRecord {
  _id: string;
  by: string;
  until: Date;
}

const leaseSchema = new Schema<LeaseRecord>(
  {
    _id: { type: String, required: true },
    by: { type: String, required: true },
    until: { type: Date, required: true },
  },
  { versionKey: false, collection: 'leases' },
);

/** Needs no index: read and written by `_id` only. */
export function leaseModel(connection: Connection): Model<LeaseRecord> {
  return connection.model<LeaseRecord>('Lease', leaseSchema);
}

/** A lease lasts this long without a renewal, ms. */
export const LEASE_MS = 10_000;

/** The lease of one process: one process works on orders (O9). What a process does after its lease is harmless by O1 to O3. */
export interface Lease {
  /** Takes or renews the lease. Resolves with whether it is held. */
  renew(): Promise<boolean>;
  /** Returns whether it is held at this moment. */
  isHeld(): boolean;
  /** Gives it up for the next process. */
  release(): Promise<void>;
}

/** Returns the name of a lease holder. `start`: unique for this start of the process. */
export function holderName(start: string): string {
  return `${hostname()} ${process.pid} ${start}`;
}

/** Returns whether a holder surely has ended: an earlier process of this machine. */
export function hasEnded(holder: string, own: string): boolean {
  const [host, pid] = holder.split(' ');
  const [ownHost, ownPid] = own.split(' ');
  if (host !== ownHost || holder === own) return false;
  if (pid === ownPid) return true;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}

export function createLease(deps: { model: Model<LeaseRecord>; id: string; by: string; clock: Clock }): Lease {
  const { model, id, by, clock } = deps;
  let heldUntil = 0;

  async function take(): Promise<boolean> {
    const now = clock.now();
    const until = new Date(now + LEASE_MS);
    const present = await model.findById(id).lean<LeaseRecord>();
    const isFree = !present || present.by === by || present.until.getTime() < now || hasEnded(present.by, by);
    if (!isFree) return false;
    const filter = present ? { _id: id, by: present.by, until: present.until } : { _id: id, by };
    const { matchedCount, upsertedCount } = await model.updateOne(
      filter,
      { $set: { by, until } },
      { upsert: !present },
    );
    if (matchedCount + upsertedCount === 0) return false;
    heldUntil = until.getTime();
    return true;
  }

  return {
    async renew() {
      try {
        if (await take()) return true;
      } catch (error) {
        // Another process took it between the read and the write.
        if (!isDuplicateKey(error)) throw error;
      }
      heldUntil = 0;
      return false;
    },
    isHeld: () => clock.now() < heldUntil,
    async release() {
      heldUntil = 0;
      await model.deleteOne({ _id: id, by });
    },
  };
}
