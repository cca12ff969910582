import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import type { ChainConfig } from '../../../common/client-config/model.ts';
import { transactionCalls } from '../../../common/transactions/http.ts';
import type { ChainClient } from '../../chain/chain.ts';
import { request } from '../../http/client.ts';
import { pendingTransfer } from './pending-transfer.ts';
import { createTransferFlow, type TransferFlow } from './transfer-flow.ts';
import type { TransferState } from './transfer-state.ts';

interface TransferHandlers {
  rereadBalance(): Promise<void>;
  onDone(): void;
  onFailed(message: string): void;
}

/** Returns the user's one transfer on this cluster, resuming one that was left under way. */
export function useTransfer(
  userId: string,
  client: ChainClient,
  config: ChainConfig,
  handlers: TransferHandlers,
): { flow: TransferFlow; state: TransferState } {
  // The flow outlives many renders, and calls the latest handlers.
  const latest = useRef(handlers);
  useEffect(() => {
    latest.current = handlers;
  });
  const flow = useMemo(
    () =>
      createTransferFlow({
        client,
        pending: pendingTransfer(userId, config),
        async record({ signature, lamports, to, lastValidBlockHeight }) {
          const body = {
            type: 'transfer_out' as const,
            signature,
            lamports: Number(lamports),
            recipient: to,
            lastValidBlockHeight,
          };
          await request(transactionCalls.record, { params: { userId }, body });
        },
        rereadBalance: () => latest.current.rereadBalance(),
        onDone: () => latest.current.onDone(),
        onFailed: (message) => latest.current.onFailed(message),
        now: () => Date.now(),
        sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
      }),
    [userId, client, config],
  );
  useEffect(() => flow.start(), [flow]);
  return { flow, state: useSyncExternalStore(flow.subscribe, flow.state) };
}
