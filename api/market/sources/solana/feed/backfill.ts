import type { Logger } from 'pino';
import type { Clock } from '../../../../../common/time.ts';
import type { Rpc } from '../../../../chain/rpc.ts';
import { pause } from '../../../../platform/resilience.ts';
import type { Observation } from '../../observation.ts';
import type { StoredToken } from '../../source.ts';
import type { Frames } from '../decode/frames.ts';
import { fetchInOrder, fetchTransaction, type HeardUpTo, listMissed, type Patience } from './missed-transactions.ts';
import type { Hold } from './reorder-buffer.ts';
import { createResume } from './stored-filter.ts';

export interface MissedLimits {
  /** Pages of 1,000 signatures that are listed after a gap. Mainnet fills a page in about three seconds. */
  pages: number;
  /** Transactions fetched after a gap; of more, the newest are. */
  transactions: number;
  /** Transactions fetched at the same time. */
  inFlight: number;
  /** Pause before listing, ms: a node's index of signatures follows its notifications. */
  settleMs: number;
  /** Transactions with cut logs that may wait to be fetched. */
  waiting: number;
  /** For a transaction that the node does not have yet. */
  patience: Patience;
}

const defaultLimits: MissedLimits = {
  pages: 10,
  transactions: 2_000,
  inFlight: 4,
  settleMs: 1_000,
  waiting: 500,
  patience: { tries: 3, pauseMs: 1_000 },
};

export interface Missed {
  /**
   * Fetches what happened since a point (null: since what storage knows) and hands it on before what is live. `firstSlot`:
   * the first that is live again, null while nothing was heard; then nothing is lost, for the next stretch begins here too.
   */
  catchUp(since: HeardUpTo | null, firstSlot: () => number | null): void;
  /** Fetches a transaction whose logs were cut. */
  fetch(signature: string): void;
  /** Slots since the start of which not everything could be read. */
  slotsMissed(): number;
  stop(): void;
}

interface Deps {
  rpc: Rpc;
  frames: Frames;
  hold: Hold;
  clock: Clock;
  log: Logger;
  observe: (observations: readonly Observation[]) => void;
  known: () => Promise<StoredToken[]>;
  limits: Partial<MissedLimits>;
}

/** Slots that lie between two; 0 where one of them is not known. */
function slotsBetween(after: number | null, before: number | null): number {
  return after === null || before === null ? 0 : Math.max(0, before - after - 1);
}

/** Gets over RPC what the subscription did not tell. */
export function createMissed(deps: Deps): Missed {
  const { rpc, frames, hold, clock, log, observe } = deps;
  const limits = { ...defaultLimits, ...deps.limits };
  const stopping = new AbortController();
  let waiting = 0;
  let slotsMissed = 0;
  /** A stretch that could not be listed, until it is known where it ends. */
  let unlisted: { after: number; firstSlot: () => number | null } | null = null;
  let catching = false;
  /** At most one more stretch waits: the older point includes the newer one. */
  let next: { since: HeardUpTo | null; firstSlot: () => number | null } | null = null;

  async function sinceStored(known: readonly StoredToken[]): Promise<HeardUpTo | null> {
    const newest = known
      .filter(({ lastSignature }) => lastSignature !== null)
      .toSorted((a, b) => (b.lastTradeAt ?? b.createdAt) - (a.lastTradeAt ?? a.createdAt))[0];
    if (newest === undefined || newest.lastSignature === null) return null;
    return { signature: newest.lastSignature, slot: null, at: newest.lastTradeAt ?? newest.createdAt };
  }

  async function catchUpNow(asked: HeardUpTo | null): Promise<void> {
    // Only what a process before this one stored can be told twice; its own is known by signature.
    const known = asked === null ? await deps.known() : [];
    const since = asked ?? (await sinceStored(known));
    if (since === null) return;
    await pause(limits.settleMs, stopping.signal);
    const { transactions, complete } = await listMissed(rpc, since, limits.pages);
    const unread = transactions.filter(({ signature }) => !frames.isRead(signature));
    const wanted = unread.slice(-limits.transactions);
    const coming = new Set(wanted.map(({ signature }) => signature));
    const resume = createResume(known, (signature) => coming.has(signature));
    let lost = unread.length - wanted.length;
    const lostSlots = new Set(unread.slice(0, lost).map(({ slot }) => slot));
    // What lies before the oldest one that was listed was not even listed.
    if (!complete) slotsMissed += slotsBetween(since.slot, transactions[0]?.slot ?? null);
    for await (const { signature, slot, transaction } of fetchInOrder(rpc, wanted, limits.inFlight, limits.patience)) {
      if (stopping.signal.aborted) return;
      if (transaction === null) {
        lost += 1;
        lostSlots.add(slot);
        continue;
      }
      observe(resume.fresh(signature, readTransaction(signature, transaction)));
    }
    slotsMissed += lostSlots.size;
    const level = complete && lost === 0 ? 'info' : 'warn';
    log[level]({ fetched: wanted.length - lost, lost, complete }, 'caught up with what happened while not connected');
  }

  function readTransaction(...[signature, transaction]: [string, Parameters<Frames['readTransaction']>[1]]) {
    return frames.readTransaction(signature, transaction, { receivedAt: clock.now(), shift: 0 });
  }

  function countUnlisted(): void {
    const before = unlisted?.firstSlot() ?? null;
    if (unlisted === null || before === null) return;
    slotsMissed += slotsBetween(unlisted.after, before);
    unlisted = null;
  }

  async function catchUpAll(): Promise<void> {
    catching = true;
    hold.begin();
    while (next !== null && !stopping.signal.aborted) {
      const { since, firstSlot } = next;
      next = null;
      try {
        await catchUpNow(since);
      } catch (error) {
        // The live stream goes on; what was missed stays missed, which the count and the log say.
        countUnlisted();
        unlisted = since === null || since.slot === null ? null : { after: since.slot, firstSlot };
        if (!stopping.signal.aborted) log.warn({ err: error }, 'could not catch up with what was missed');
      }
    }
    catching = false;
    if (!stopping.signal.aborted) hold.release();
  }

  return {
    catchUp(since, firstSlot) {
      // The last of several: from the older point up to the newer subscription.
      next = { since: next === null ? since : next.since, firstSlot };
      if (!catching) void catchUpAll();
    },
    fetch(signature) {
      if (waiting >= limits.waiting) return log.warn('too many transactions with cut logs; one is left out');
      waiting += 1;
      fetchTransaction(rpc, signature, limits.patience)
        .then((transaction) => {
          if (transaction === null || stopping.signal.aborted) return;
          hold.pass(readTransaction(signature, transaction));
        })
        // The beginning that the logs told has been handed on; the rest of this transaction is lost.
        .catch((error) => log.warn({ err: error }, 'a transaction with cut logs could not be fetched'))
        .finally(() => {
          waiting -= 1;
        });
    },
    slotsMissed() {
      countUnlisted();
      return slotsMissed;
    },
    stop: () => stopping.abort(),
  };
}
