import { useCallback, useEffect, useRef, useState } from 'react';
import type { ChainClient } from '../chain/chain.ts';
import { chainErrorText } from '../chain/chain-error.ts';
import { useLiveMarket } from '../live/live.ts';
import { atom, useAtom } from '../store.ts';
import { toast } from '../ui/toast-store.ts';
import { shownSol } from './amounts.ts';

/** How often the balance is read without being asked for, ms (specification, section 9). */
export const BALANCE_EVERY_MS = 60_000;

/** The last known balance of one address. It outlives the page, so that a visit begins with what is known. */
interface KnownBalance {
  address: string;
  lamports: bigint;
  /** Epoch ms. */
  at: number;
}
const knownBalanceAtom = atom<KnownBalance | null>(null);

export interface Balance {
  /** Lamports; null while unknown. Never anything but what the chain said. */
  lamports: bigint | null;
  /** When the chain said it, epoch ms. */
  at: number | null;
  /** Why the last reading failed: then `lamports` is from before. */
  problem: string | null;
  /** The user's wish is being seen to. */
  refreshing: boolean;
  /** Reads it at the user's wish, and tells in a toast what came of it. */
  refresh(): Promise<void>;
  /** Reads it without a word. */
  reread(): Promise<void>;
}

/** The balance of an address: read at once, every minute and on the user's wish, and told by the chain when it changes. */
export function useBalance(client: ChainClient | null, address: string): Balance {
  const [known, setKnown] = useAtom(knownBalanceAtom);
  const [problem, setProblem] = useState<string | null>(null);
  const [refreshing, setRefreshing] = useState(false);
  /** Counts what was learnt: a reading that began before the last news is older than it. */
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

  /** What the node says, null when it could not be asked. It is shown unless something newer came in between. */
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
      // Once for each time the node goes away, and not every minute.
      if (failed && !failing) tellOfFailure();
      failing = failed;
    };
    void readQuietly();
    let unwatch = client.watchBalance(address, learn);
    const timer = setInterval(() => {
      void readQuietly();
      // After some seconds without the node the library gives its WebSocket up, and only a new subscription opens it again.
      unwatch();
      unwatch = client.watchBalance(address, learn);
    }, BALANCE_EVERY_MS);
    // The server has heard of a transaction of this wallet: should the node's own word be lost, this is as good.
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
    if (lamports === null) return tellOfFailure();
    toast({ title: 'Balance Updated', description: `Your current balance is ${shownSol(lamports)} SOL` });
  }, [read]);

  const reread = useCallback(async () => {
    await read();
  }, [read]);

  const mine = known?.address === address ? known : null;
  return { lamports: mine?.lamports ?? null, at: mine?.at ?? null, problem, refreshing, refresh, reread };
}

function tellOfFailure(): void {
  toast({ title: 'Error', description: 'Failed to refresh balance from blockchain', variant: 'destructive' });
}
