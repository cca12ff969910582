import { useCallback, useEffect, useRef, useState } from 'react';
import type { ChainClient } from '../chain/chain.ts';
import { chainErrorText } from '../chain/chain-error.ts';
import { useLiveMarket } from '../live/live.ts';
import { atom, useAtom } from '../store.ts';
import { toast } from '../ui/toast-store.ts';
import { shownSol } from './amounts.ts';

/** Interval of automatic balance reads, ms (specification, section 9). */
export const BALANCE_EVERY_MS = 60_000;

/** Last known balance of an address. It outlives the page, so that a visit starts with the known value. */
interface KnownBalance {
  address: string;
  lamports: bigint;
  /** Epoch ms. */
  at: number;
}
const knownBalanceAtom = atom<KnownBalance | null>(null);

export interface Balance {
  /** Lamports; null while unknown. Always a value from the chain. */
  lamports: bigint | null;
  /** When the chain reported it, epoch ms. */
  at: number | null;
  /** Why the last read failed: then `lamports` is older. */
  problem: string | null;
  /** A refresh by the user is running. */
  refreshing: boolean;
  /** Reads the balance for the user and reports the result in a toast. */
  refresh(): Promise<void>;
  /** Reads the balance silently. */
  reread(): Promise<void>;
}

/** Returns the balance of an address: read at once, every minute and on request, and updated by chain notifications. */
export function useBalance(client: ChainClient | null, address: string): Balance {
  const [known, setKnown] = useAtom(knownBalanceAtom);
  const [problem, setProblem] = useState<string | null>(null);
  const [refreshing, setRefreshing] = useState(false);
  /** Counts updates: a read that started before the last update is older than it. */
  const news = useRef(0);
  const live = useLiveMarket();

  const learn = useCallback(
    (lamports: bigint) => {
      news.current += 1;
      setProblem(null);
      setKnown({ address, lamports, at: Date.now() });
    },
    [address, setKnown],
  );

  /** Reads the balance; null when the node failed. It is shown unless a newer value arrived meanwhile. */
  const read = useCallback(async (): Promise<bigint | null> => {
    if (client === null) return null;
    const before = news.current;
    try {
      const lamports = await client.balance(address);
      if (news.current === before) learn(lamports);
      return lamports;
    } catch (reason) {
      if (news.current === before) setProblem(chainErrorText(reason));
      return null;
    }
  }, [client, address, learn]);

  useEffect(() => {
    if (client === null) return;
    news.current += 1;
    setProblem(null);
    let failing = false;
    const readQuietly = async () => {
      const failed = (await read()) === null;
      // Once per outage of the node, not every minute.
      if (failed && !failing) reportFailure();
      failing = failed;
    };
    void readQuietly();
    let unwatch = client.watchBalance(address, learn);
    const timer = setInterval(() => {
      void readQuietly();
      // After some seconds without the node the library drops its WebSocket, and only a new subscription reopens it.
      unwatch();
      unwatch = client.watchBalance(address, learn);
    }, BALANCE_EVERY_MS);
    // The server recorded a transaction of this wallet, which replaces a lost notification of the node.
    const unlisten = live.on('transaction', () => void read());
    return () => {
      clearInterval(timer);
      unwatch();
      unlisten();
    };
  }, [client, address, read, learn, live]);

  const refresh = useCallback(async () => {
    setRefreshing(true);
    const lamports = await read();
    setRefreshing(false);
    if (lamports === null) return reportFailure();
    toast({ title: 'Balance Updated', description: `Your current balance is ${shownSol(lamports)} SOL` });
  }, [read]);

  const reread = useCallback(async () => {
    await read();
  }, [read]);

  const mine = known?.address === address ? known : null;
  return { lamports: mine?.lamports ?? null, at: mine?.at ?? null, problem, refreshing, refresh, reread };
}

function reportFailure(): void {
  toast({ title: 'Error', description: 'Failed to refresh balance from blockchain', variant: 'destructive' });
}
