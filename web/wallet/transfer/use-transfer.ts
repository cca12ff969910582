import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import type { ChainConfig } from '../../../common/client-config/model.ts';
import { transactionCalls } from '../../../common/transactions/http.ts';
import type { ChainClient } from '../../chain/chain.ts';
import { request } from '../../http/client.ts';
import { createPendingTransfer } from './pending-transfer.ts';
import { createTransferFlow, type TransferFlow } from './transfer-flow.ts';
import type { TransferState } from './transfer-state.ts';

interface TransferHandlers {
  reloadBalance(): Promise<void>;
  onDone(): void;
  onFailed(message: string): void;
}

/** Manages the user's one transfer on this cluster, and resumes one that an earlier visit left pending. */
export function useTransfer(
  userId: string,
  client: ChainClient,
  config: ChainConfig,
  handlers: TransferHandlers,
): { flow: TransferFlow; state: TransferState } {
  // The flow outlives many renders, so it calls the latest handlers.
  const latest = useRef(handlers);
  useEffect(() => {
    latest.current = handlers;
  });
  const flow = useMemo(
    () =>
      createTransferFlow({
        client,
        pending: createPendingTransfer(userId, config),
        async record({ signature, lamports, to, lastValidBlockHeight }, refusal) {
          const body = {
            type: 'transfer_out' as const,
            signature,
            lamports: Number(lamports),
            recipient: to,
            lastValidBlockHeight,
            ...(refusal === undefined ? {} : { refusal }),
          };
          await request(transactionCalls.record, { params: { userId }, body });
        },
        reloadBalance: () => latest.current.reloadBalance(),
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
