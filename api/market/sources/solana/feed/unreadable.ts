import { MINUTE } from '../../../../../common/time.ts';
import { unreadableVersion } from '../../../../chain/versions.ts';

/** Pause between two attempts to read them again, ms: a node that reads more was updated, which takes minutes. */
const RETRY_MS = 10 * MINUTE;
/** Transactions that wait to be read again; older ones only count. */
const MAX_WAITING = 500;

/** Transactions of a version that can't be read yet. */
export type Unreadable = ReturnType<typeof createUnreadable>;

/** Creates a list of unreadable transactions, which are read again, the newest first, until one is still refused. */
export function createUnreadable({ retryMs = RETRY_MS }: { retryMs?: number | undefined } = {}) {
  const waiting = new Map<string, () => Promise<void>>();
  const versions = new Set<number>();
  let dropped = 0;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  async function retry(): Promise<void> {
    timer = undefined;
    for (const [signature, readAgain] of [...waiting].toReversed()) {
      if (isStopped) return;
      try {
        await readAgain();
        waiting.delete(signature);
      } catch (error) {
        // Any other failure concerns this transaction alone.
        if (unreadableVersion(error) !== undefined) break;
      }
    }
    schedule();
  }

  function schedule(): void {
    if (!isStopped && waiting.size > 0) timer ??= setTimeout(() => void retry(), retryMs);
  }

  return {
    /**
     * Notes a transaction whose version can't be read. Returns false for any other `error`. `key`: its signature; other work
     * on a transaction has a key of its own. `readAgain` is called later; it must reject with the same error while the version is unreadable.
     */
    note(key: string, error: unknown, readAgain: () => Promise<void>): boolean {
      const version = unreadableVersion(error);
      if (version === undefined) return false;
      if (version !== null) versions.add(version);
      waiting.set(key, readAgain);
      const [oldest] = waiting.keys();
      if (waiting.size > MAX_WAITING && oldest !== undefined) {
        waiting.delete(oldest);
        dropped += 1;
      }
      schedule();
      return true;
    },
    /** Returns how many were not read since the start. */
    count: (): number => waiting.size + dropped,
    /** Returns their versions, lowest first; without one that the node did not name. */
    versions: (): number[] => [...versions].toSorted((a, b) => a - b),
    stop(): void {
      isStopped = true;
      clearTimeout(timer);
      waiting.clear();
    },
  };
}
