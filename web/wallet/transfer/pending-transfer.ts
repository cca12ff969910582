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

/** The user's transfer with an open outcome. It is stored beyond the page, so that it is not sent twice. */
export interface PendingTransfer {
  read(): SentTransfer | null;
  write(sent: SentTransfer): void;
  /** Clears it, unless another one has been written since. */
  clear(signature: string): void;
}

/** Stores it in the browser for all tabs, per user and cluster. Signed bytes are not secret; the key is not stored. */
export function createPendingTransfer(userId: string, { cluster, rpcUrl }: ChainConfig): PendingTransfer {
  const key = `wallet-transfer:${userId}:${cluster === 'custom' ? rpcUrl : cluster}`;
  function read(): SentTransfer | null {
    try {
      const text = localStorage.getItem(key);
      return text === null ? null : (sentSchema.safeParse(JSON.parse(text)).data ?? null);
    } catch {
      // Storage may be disabled or hold other data; then no transfer is known to be pending.
      return null;
    }
  }
  return {
    read,
    write(sent) {
      try {
        localStorage.setItem(key, JSON.stringify(sent));
      } catch {
        // Without storage a transfer can't be followed beyond this page. It is sent anyway, as the user has confirmed it.
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
