import { useCallback, useEffect, useRef, useState } from 'react';
import type { ChainClient } from '../chain/chain.ts';
import { chainErrorText } from '../chain/chain-error.ts';
import { useLiveMarket } from '../live/live.ts';
import { atom, useAtom } from '../store.ts';
import { toast } from '../ui/toast-store.ts';
import { formatBalance } from './amounts.ts';

/** Poll interval of the balance, ms (specification, section 9). */
export const BALANCE_POLL_MS = 60_000;

/** The last known balance of one address. It outlives the page, so that the next visit shows it at once. */
interface KnownBalance {
  address: string;
  lamports: bigint;
  /** Epoch ms. */
  at: number;
}
const knownBalanceAtom = atom<KnownBalance | null>(null);

export interface Balance {
  /** Lamports as reported by the chain; null while unknown. */
  lamports: bigint | null;
  /** Time of the report, epoch ms. */
  at: number | null;
  /** Error of the last fetch, after which `lamports` is stale; null when it succeeded. */
  error: string | null;
  /** Whether a fetch started by the user is pending. */
  refreshing: boolean;
  /** Fetches the balance and shows the outcome in a toast. */
  refresh(): Promise<void>;
  /** Fetches the balance without a toast. */
  reload(): Promise<void>;
}

/** Returns the balance of an address: fetched at once, every minute and on request, and updated by the chain. */
export function useBalance(client: ChainClient | null, address: string): Balance {
  const [known, setKnown] = useAtom(knownBalanceAtom);
  const [error, setError] = useState<string | null>(null);
  const [refreshing, setRefreshing] = useState(false);
  /** Counts updates: a response to a request sent before the last update is outdated. */
  const updates = useRef(0);

  const update = useCallback(
    (lamports: bigint) => {
      updates.current += 1;
      setError(null);
      setKnown({ address, lamports, at: Date.now() });
    },
    [address, setKnown],
  );

  /** Resolves with the node's balance, or null when the request failed. Shown unless an update came meanwhile. */
  const fetchBalance = useCallback(async (): Promise<bigint | null> => {
    if (client === null) return null;
    const before = updates.current;
    try {
      const lamports = await client.balance(address);
      if (updates.current === before) update(lamports);
      return lamports;
    } catch (reason) {
      if (updates.current === before) setError(chainErrorText(reason));
      return null;
    }
  }, [client, address, update]);

  const restart = useCallback(() => {
    updates.current += 1;
    setError(null);
  }, []);
  useBalanceUpdates({ client, address, update, fetchBalance, restart });

  const refresh = useCallback(async () => {
    setRefreshing(true);
    const lamports = await fetchBalance();
    setRefreshing(false);
    if (lamports === null) return toastFailure();
    toast({ title: 'Balance Updated', description: `Your current balance is ${formatBalance(lamports)} SOL` });
  }, [fetchBalance]);

  const reload = useCallback(async () => {
    await fetchBalance();
  }, [fetchBalance]);

  const current = known?.address === address ? known : null;
  return { lamports: current?.lamports ?? null, at: current?.at ?? null, error, refreshing, refresh, reload };
}

/** Polls the balance, and subscribes to the chain and to the user's transactions. */
function useBalanceUpdates(options: {
  client: ChainClient | null;
  address: string;
  update: (lamports: bigint) => void;
  fetchBalance: () => Promise<bigint | null>;
  /** Discards the error and pending responses of another address. */
  restart: () => void;
}): void {
  const { client, address, update, fetchBalance, restart } = options;
  const live = useLiveMarket();
  useEffect(() => {
    if (client === null) return;
    restart();
    let failing = false;
    const poll = async () => {
      const failed = (await fetchBalance()) === null;
      // One toast per outage rather than one per minute.
      if (failed && !failing) toastFailure();
      failing = failed;
    };
    void poll();
    let unwatch = client.watchBalance(address, update);
    const timer = setInterval(() => {
      void poll();
      // The library gives its WebSocket up after some seconds without the node, and only a new subscription reopens it.
      unwatch();
      unwatch = client.watchBalance(address, update);
    }, BALANCE_POLL_MS);
    // The server's event about a transaction of this wallet covers a lost notification of the node.
    const unlisten = live.on('transaction', () => void fetchBalance());
    return () => {
      clearInterval(timer);
      unwatch();
      unlisten();
    };
  }, [client, address, fetchBalance, update, restart, live]);
}

function toastFailure(): void {
  toast({ title: 'Error', description: 'Failed to refresh balance from blockchain', variant: 'destructive' });
}
