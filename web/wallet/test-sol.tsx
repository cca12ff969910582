import { Droplets } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { LAMPORTS_PER_SOL } from '../../common/tokens/units.ts';
import { transactionCalls } from '../../common/transactions/http.ts';
import { type ChainClient, confirmTimeout } from '../chain/chain.ts';
import { ChainError, chainErrorText } from '../chain/chain-error.ts';
import { request } from '../http/client.ts';
import { useMutation } from '../http/use-mutation.ts';
import { Button } from '../ui/button.tsx';
import { toast } from '../ui/toast-store.ts';
import { subscribeSignature } from './transfer/signature-subscription.ts';

/** Lamports requested from the faucet at once. */
const PORTION = LAMPORTS_PER_SOL;
/** Poll interval beside the subscription, ms. */
const POLL_MS = 1_000;

/** A button that requests 1 SOL from the faucet of the chain and follows it until it has arrived. */
export function TestSol(props: {
  userId: string;
  address: string;
  client: ChainClient;
  onArrived: () => Promise<void>;
}) {
  const { userId, address, client, onArrived } = props;
  const unmounted = useRef<boolean>(false);
  useEffect(() => {
    unmounted.current = false;
    return () => {
      unmounted.current = true;
    };
  }, []);

  const airdrop = useMutation(
    async () => {
      const { lastValidBlockHeight } = await client.latestBlock();
      const signature = await client.airdrop(address, BigInt(PORTION));
      const body = { type: 'airdrop' as const, signature, lamports: PORTION, recipient: address, lastValidBlockHeight };
      // Not awaited: the SOL arrives even when the transaction can't be recorded.
      void request(transactionCalls.record, { params: { userId }, body }).catch(() => undefined);
      await waitForArrival(client, signature, () => unmounted.current);
      await onArrived();
      if (!unmounted.current) toast({ title: 'Test SOL Received', description: '1 SOL has arrived in your wallet.' });
    },
    (reason) => {
      const description = `Failed to get test SOL: ${chainErrorText(reason)}`;
      if (!unmounted.current) toast({ title: 'Error', description, variant: 'destructive' });
    },
  );

  return (
    <Button busy={airdrop.pending} onClick={() => void airdrop.run()}>
      <Droplets size={16} strokeWidth={1.75} aria-hidden="true" />
      Get test SOL
    </Button>
  );
}

/**
 * Waits until the chain has confirmed a signature. Subscribes besides polling, because a toast a second after the balance
 * changed would replace the toast of a transfer's outcome. Throws `ChainError` when it failed or timed out.
 */
async function waitForArrival(client: ChainClient, signature: string, isCancelled: () => boolean): Promise<void> {
  const deadline = Date.now() + confirmTimeout('confirmed');
  const subscription = subscribeSignature(client, signature);
  try {
    while (!isCancelled()) {
      const status = subscription.status ?? (await client.status(signature));
      if (status.is === 'confirmed') return;
      if (status.is === 'failed') throw new ChainError('refused', { detail: status.why });
      if (Date.now() > deadline) throw new ChainError('unreachable', { detail: 'not confirmed within 30 seconds' });
      await Promise.race([new Promise((resolve) => setTimeout(resolve, POLL_MS)), subscription.promise]);
    }
  } finally {
    subscription.stop();
  }
}
