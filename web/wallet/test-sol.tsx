import { Droplets } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { LAMPORTS_PER_SOL } from '../../common/tokens/units.ts';
import { transactionCalls } from '../../common/transactions/http.ts';
import { type ChainClient, confirmTimeout } from '../chain/chain.ts';
import { ChainError, chainErrorText } from '../chain/chain-error.ts';
import { request } from '../http/client.ts';
import { Button } from '../ui/button.tsx';
import { toast } from '../ui/toast-store.ts';
import { subscribeToSignature } from './transfer/signature-subscription.ts';

/** Lamports requested from the faucet at once. */
const PORTION = LAMPORTS_PER_SOL;
/** Poll interval beside the node's notification, ms. */
const ASK_EVERY_MS = 1_000;

/** Requests 1 SOL from the chain's faucet and follows it until it has arrived. */
export function TestSol({
  userId,
  address,
  client,
  onArrived,
}: {
  userId: string;
  address: string;
  client: ChainClient;
  onArrived: () => Promise<void>;
}) {
  const [busy, setBusy] = useState(false);
  const left = useRef<boolean>(false);
  useEffect(() => {
    left.current = false;
    return () => {
      left.current = true;
    };
  }, []);

  async function ask(): Promise<void> {
    if (busy) return;
    setBusy(true);
    try {
      const { lastValidBlockHeight } = await client.latestBlock();
      const signature = await client.airdrop(address, BigInt(PORTION));
      const body = { type: 'airdrop' as const, signature, lamports: PORTION, recipient: address, lastValidBlockHeight };
      // The SOL is on its way whether or not it is recorded in the list of transactions.
      void request(transactionCalls.record, { params: { userId }, body }).catch(() => undefined);
      await arrival(client, signature, () => left.current);
      await onArrived();
      if (!left.current) toast({ title: 'Test SOL Received', description: '1 SOL has arrived in your wallet.' });
    } catch (reason) {
      const description = `Failed to get test SOL: ${chainErrorText(reason)}`;
      if (!left.current) toast({ title: 'Error', description, variant: 'destructive' });
    } finally {
      setBusy(false);
    }
  }

  return (
    <Button busy={busy} onClick={() => void ask()}>
      <Droplets size={16} strokeWidth={1.75} aria-hidden="true" />
      Get test SOL
    </Button>
  );
}

/**
 * Waits until the chain has confirmed a signature. Subscribes besides polling: the balance updates by notification, and
 * a
 * toast about the arrival a second later would replace that of a transfer, since one toast shows at a time.
 * Throws `ChainError` when it failed or does not arrive.
 */
async function arrival(client: ChainClient, signature: string, left: () => boolean): Promise<void> {
  const deadline = Date.now() + confirmTimeout('confirmed');
  const subscription = subscribeToSignature(client, signature);
  try {
    while (!left()) {
      const status = subscription.status ?? (await client.status(signature));
      if (status.is === 'confirmed') return;
      if (status.is === 'failed') throw new ChainError('refused', { detail: status.why });
      if (Date.now() > deadline) throw new ChainError('unreachable', { detail: 'not confirmed within 30 seconds' });
      await Promise.race([new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS)), subscription.promise]);
    }
  } finally {
    subscription.stop();
  }
}
