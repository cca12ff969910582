import { z } from 'zod';
import type { ChainConfig } from '../../../common/client-config/model.ts';
import type { SentTransfer } from './transfer-state.ts';

const sentSchema: z.ZodType<SentTransfer> = z.strictObject({
  from: z.string(),
  to: z.string(),
  lamports: z.string().regex(/^\d{1,20}$/),
  signature: z.string(),
  bytes: z.string(),
  lastValidBlockHeight: z.int(),
  accepted: z.boolean(),
});

/** The one transfer of a user with an open outcome, kept beyond the page, so that it is not sent twice. */
export interface PendingTransfer {
  read(): SentTransfer | null;
  write(sent: SentTransfer): void;
  /** Deletes it, unless another one has been written since. */
  clear(signature: string): void;
}

/**
 * Kept in the browser's storage, which all tabs share: one per user and cluster. It holds signed bytes, which are no
 * secret, and no key.
 */
export function pendingTransfer(userId: string, { cluster, rpcUrl }: ChainConfig): PendingTransfer {
  const key = `wallet-transfer:${userId}:${cluster === 'custom' ? rpcUrl : cluster}`;
  function read(): SentTransfer | null {
    try {
      const kept = localStorage.getItem(key);
      return kept === null ? null : (sentSchema.safeParse(JSON.parse(kept)).data ?? null);
    } catch {
      // Storage may be disabled or hold another program's data: then no pending transfer is known.
      return null;
    }
  }
  return {
    read,
    write(sent) {
      try {
        localStorage.setItem(key, JSON.stringify(sent));
      } catch {
        // Without storage a transfer cannot be followed beyond this page; it is sent all the same, as the user asked.
      }
    },
    clear(signature) {
      if (read()?.signature !== signature) return;
      try {
        localStorage.removeItem(key);
      } catch {
        // See `write`.
      }
    },
  };
}
