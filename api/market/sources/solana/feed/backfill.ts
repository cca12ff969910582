import type { Logger } from 'pino';
import type { Clock } from '../../../../../common/time.ts';
import type { Rpc } from '../../../../chain/rpc.ts';
import { pause } from '../../../../platform/resilience.ts';
import type { Observation } from '../../observation.ts';
import type { StoredToken } from '../../source.ts';
import type { Frames } from '../decode/frames.ts';
import type { FetchedTransaction } from '../decode/program-events.ts';
import { type Fetching, fetchInOrder, fetchOrNote, listMissed, type Patience } from './missed-transactions.ts';
import type { ReorderBuffer } from './reorder-buffer.ts';
import type { ResumePoint } from './resume-cursor.ts';
import { createStoredFilter } from './stored-filter.ts';
import type { Unreadable } from './unreadable.ts';

const defaultLimits = {
  /** Pages of 1,000 signatures listed after a gap. Mainnet fills a page in about three seconds. */
  pages: 10,
  /** Transactions fetched after a gap, the newest first. */
  transactions: 2_000,
  /** Pause before listing, ms: a node's signature index lags behind its notifications. */
  settleMs: 1_000,
  /** For a transaction that the node does not have yet. */
  patience: { tries: 3, pauseMs: 1_000 } satisfies Patience,
};
export type BackfillLimits = typeof defaultLimits;
/** Concurrent fetches. */
const IN_FLIGHT = 4;
/** Pending transactions with truncated logs. */
const MAX_WAITING = 500;

export interface Backfill {
  /**
   * Fetches the transactions since a point (null: since the newest stored one) and observes them before live ones. `firstSlot`
   * returns the first live slot after the gap; null before one arrives, when nothing is lost yet.
   */
  catchUp(since: ResumePoint | null, firstSlot: () => number | null): void;
  /** Fetches a transaction with truncated logs. */
  fetch(signature: string): void;
  /** Returns the slots since the start that could not be read completely. */
  slotsMissed(): number;
  /** Returns the transactions since the start of which only the beginning is known. */
  transactionsLost(): number;
  stop(): void;
}

interface BackfillDeps {
  rpc: Rpc;
  frames: Frames;
  buffer: ReorderBuffer;
  clock: Clock;
  log: Logger;
  observe: (observations: readonly Observation[]) => void;
  storedTokens: () => Promise<StoredToken[]>;
  unreadable: Unreadable;
  sawVersion: Fetching['sawVersion'];
  limits: Partial<BackfillLimits>;
}

/** Part of the stream without a connection. */
interface Gap {
  since: ResumePoint | null;
  firstSlot: () => number | null;
}

/** Fetches over RPC the transactions that the subscription did not deliver. */
export function createBackfill(deps: BackfillDeps): Backfill {
  const { rpc, buffer, log } = deps;
  const limits = { ...defaultLimits, ...deps.limits };
  const stopping = new AbortController();
  const fetching: Fetching = {
    ...{ rpc, patience: limits.patience, unreadable: deps.unreadable },
    sawVersion: deps.sawVersion,
    onReadAgain: (signature, transaction) => deps.observe(readTransaction(deps, signature, transaction)),
  };
  let waiting = 0;
  let slotsMissed = 0;
  let transactionsLost = 0;
  /** A gap that could not be listed, until its end is known. */
  let unlisted: { after: number; firstSlot: () => number | null } | null = null;
  let running = false;
  /** At most one gap is queued: the older point includes the newer one. */
  let next: Gap | null = null;

  function countUnlisted(): void {
    const before = unlisted?.firstSlot() ?? null;
    if (unlisted === null || before === null) return;
    slotsMissed += slotsBetween(unlisted.after, before);
    unlisted = null;
  }

  async function run(): Promise<void> {
    running = true;
    buffer.hold();
    while (next !== null && !stopping.signal.aborted) {
      const { since, firstSlot } = next;
      next = null;
      try {
        slotsMissed += await fillGap(since, { ...deps, limits, fetching, signal: stopping.signal });
      } catch (error) {
        // The live stream goes on; the gap stays, counted and logged.
        countUnlisted();
        unlisted = since === null || since.slot === null ? null : { after: since.slot, firstSlot };
        if (!stopping.signal.aborted) log.warn({ err: error }, 'backfill failed');
      }
    }
    running = false;
    if (!stopping.signal.aborted) buffer.release();
  }

  return {
    catchUp(since, firstSlot) {
      // Merges with a queued gap: from the older point to the newer subscription.
      next = { since: next === null ? since : next.since, firstSlot };
      if (!running) void run();
    },
    fetch(signature) {
      if (waiting >= MAX_WAITING) {
        transactionsLost += 1;
        log.warn('transaction with truncated logs skipped, too many pending');
        return;
      }
      waiting += 1;
      void fetchOrNote(fetching, signature)
        .then((transaction) => {
          waiting -= 1;
          if (stopping.signal.aborted || transaction === 'unreadable') return;
          if (transaction === 'lost') {
            // The events before the cut are already observed; the rest of this transaction is lost.
            transactionsLost += 1;
            log.warn('transaction with truncated logs not fetched');
          } else buffer.push(readTransaction(deps, signature, transaction));
        })
        .catch((error: unknown) => {
          transactionsLost += 1;
          log.warn({ err: error }, 'transaction with truncated logs not read');
        });
    },
    slotsMissed() {
      countUnlisted();
      return slotsMissed;
    },
    transactionsLost: () => transactionsLost,
    stop: () => stopping.abort(),
  };
}

/** Observes the transactions since `point`. Resolves with the number of slots that stay incomplete. */
async function fillGap(
  point: ResumePoint | null,
  deps: BackfillDeps & { limits: BackfillLimits; fetching: Fetching; signal: AbortSignal },
): Promise<number> {
  const { rpc, frames, log, observe, limits, fetching, signal } = deps;
  // Only events stored by an earlier process can repeat; this process knows its own by signature.
  const stored = point === null ? await deps.storedTokens() : [];
  const since = point ?? newestStored(stored);
  if (since === null) return 0;
  await pause(limits.settleMs, signal);
  const { transactions, complete } = await listMissed(rpc, since, limits.pages);
  const unread = transactions.filter(({ signature }) => !frames.isRead(signature));
  const wanted = unread.slice(-limits.transactions);
  const signatures = new Set(wanted.map(({ signature }) => signature));
  const filter = createStoredFilter(stored, (signature) => signatures.has(signature));
  let unreadable = 0;
  let lost = unread.length - wanted.length;
  const lostSlots = new Set(unread.slice(0, lost).map(({ slot }) => slot));
  // Slots before the oldest listed transaction were cut off.
  const unlistedSlots = complete ? 0 : slotsBetween(since.slot, transactions[0]?.slot ?? null);
  for await (const { signature, slot, transaction } of fetchInOrder(fetching, wanted, IN_FLIGHT)) {
    if (signal.aborted) return unlistedSlots;
    if (transaction === 'unreadable') {
      filter.apply(signature, []);
      unreadable += 1;
      continue;
    }
    if (transaction === 'lost') {
      filter.apply(signature, []);
      lost += 1;
      lostSlots.add(slot);
      continue;
    }
    observe(filter.apply(signature, readTransaction(deps, signature, transaction)));
  }
  const level = complete && lost === 0 ? 'info' : 'warn';
  log[level]({ fetched: wanted.length - lost - unreadable, lost, unreadable, complete }, 'backfill finished');
  return unlistedSlots + lostSlots.size;
}

function readTransaction(
  { frames, clock }: Pick<BackfillDeps, 'frames' | 'clock'>,
  signature: string,
  transaction: FetchedTransaction,
): Observation[] {
  return frames.readTransaction(signature, transaction, { receivedAt: clock.now(), shift: 0 });
}

/** Returns the newest stored transaction as a point; null without one. */
function newestStored(stored: readonly StoredToken[]): ResumePoint | null {
  const newest = stored
    .filter(({ lastSignature }) => lastSignature !== null)
    .toSorted((a, b) => (b.lastTradeAt ?? b.createdAt) - (a.lastTradeAt ?? a.createdAt))[0];
  if (newest === undefined || newest.lastSignature === null) return null;
  return { signature: newest.lastSignature, slot: null, at: newest.lastTradeAt ?? newest.createdAt };
}

/** Returns the number of slots between two; 0 when one is unknown. */
function slotsBetween(after: number | null, before: number | null): number {
  return after === null || before === null ? 0 : Math.max(0, before - after - 1);
}
