import { type ConfirmedSignatureInfo, PublicKey } from '@solana/web3.js';
import PQueue from 'p-queue';
import type { Logger } from 'pino';
import { type Clock, MINUTE } from '../../../../../common/time.ts';
import type { Rpc } from '../../../../chain/rpc.ts';
import { pause } from '../../../../platform/resilience.ts';
import type { Observation } from '../../observation.ts';
import type { MissedTrades, SourceContext, StoredToken } from '../../source.ts';
import type { Frames } from '../decode/frames.ts';
import type { FetchedTransaction } from '../decode/program-events.ts';
import type { SourceNetwork } from '../node-source.ts';
import { bondingCurveOf, pumpProgram } from '../programs.ts';
import type { ResumePoint } from './resume-cursor.ts';
import type { SlotOrder } from './slot-order.ts';
import { createStoredFilter } from './stored-filter.ts';
import { createTransactionReader, type Fetched, type Patience } from './transactions.ts';
import type { Unreadable } from './unreadable.ts';

const defaultLimits = {
  /** Pages of 1,000 signatures listed after a lost connection. Mainnet fills a page in about three seconds. */
  pages: 10,
  /** Transactions fetched after a lost connection, the newest first. */
  transactions: 2_000,
  /** Pause before listing, ms: a node's signature index lags behind its notifications. */
  settleMs: 1_000,
  /** For a transaction that the node does not have yet. */
  patience: { tries: 3, pauseMs: 1_000 } satisfies Patience,
  /** Calls within a minute for coins and pools, of the node's 240. */
  callsPerMinute: 72,
};
export type GapLimits = typeof defaultLimits;

/** Calls that a request counts for, and the share of the calls of a minute up to which it is accepted. */
const costs = {
  /** Missed trades of a coin: one listing, and its transactions, rarely more than nine. */
  trades: { calls: 10, share: 1 },
  /** The same when there may be none. */
  doubtful: { calls: 10, share: 1 / 2 },
  /** A transaction with truncated logs of pools: routers trade in many pools of no interest. */
  pool: { calls: 1, share: 1 / 6 },
} as const;

/** Transactions fetched at a time. */
const IN_FLIGHT = 4;
/** Transactions that wait; one with truncated logs beyond it is lost. */
const MAX_WAITING = 500;
/** Most signatures of one response. */
const PAGE = 1_000;
/** Transactions of a coin's gap; a longer one is not read, since it could not be closed. */
const MAX_TRADES = 20;

interface GapsDeps {
  rpc: Rpc;
  frames: Frames;
  order: SlotOrder;
  clock: Clock;
  log: Logger;
  observe: SourceContext['observe'];
  storedTokens: () => Promise<StoredToken[]>;
  unreadable: Unreadable;
  sawVersion: SourceNetwork['sawVersion'];
  limits: Partial<GapLimits>;
}

/** A successful transaction of a list. */
interface Listed {
  signature: string;
  slot: number;
}

/** Part of the stream without a connection. `firstSlot` returns the first live slot after it; null before one arrives. */
interface Gap {
  since: ResumePoint | null;
  firstSlot: () => number | null;
}

/**
 * Creates the reader of everything that the subscriptions did not deliver: the time without a connection, missed trades of a
 * coin, and transactions with truncated logs. All transactions pass one queue.
 */
export function createGaps(deps: GapsDeps) {
  const { rpc, frames, order, clock, log, observe } = deps;
  const limits = { ...defaultLimits, ...deps.limits };
  const stopping = new AbortController();
  const { signal } = stopping;
  const fetching = createFetching(deps, limits.patience, signal);
  const takeCalls = createCallBudget(limits.callsPerMinute, clock);
  const losses = { slotsMissed: 0, transactionsLost: 0 };
  const catchUp = createCatchUp({ ...deps, limits, fetching, signal, losses });

  async function readTrades(missed: MissedTrades): Promise<void> {
    try {
      await pause(limits.settleMs, signal);
      const unread = (await listTrades(rpc, missed)).filter(({ signature }) => !frames.isRead(signature));
      let count = 0;
      for await (const { content } of fetching.inOrder(unread)) {
        if (typeof content === 'string') continue;
        count += 1;
        observe(content, 'backfill');
      }
      log.debug({ address: missed.address, read: count, notRead: unread.length - count }, 'missed trades read');
    } catch (error) {
      // The gap stays counted, and the coin incomplete.
      if (!signal.aborted) log.debug({ err: error, address: missed.address }, 'missed trades not read');
    }
  }

  async function complete(signature: string): Promise<void> {
    const content = fetching.isFull() ? 'lost' : await fetching.one(signature);
    if (signal.aborted || content === 'unreadable') return;
    if (content === 'lost') {
      // The events before the cut are already observed; the rest of this transaction is lost.
      losses.transactionsLost += 1;
      log.warn('transaction with truncated logs not fetched');
    } else order.push(content);
  }

  return {
    /** Fetches the transactions since a point (null: since the newest stored one) and observes them before live ones. */
    catchUp: (since: ResumePoint | null, firstSlot: Gap['firstSlot']) => catchUp.request({ since, firstSlot }),
    /** Reads the trades between two observed ones of a coin, within the budget. */
    fetchTrades(missed: MissedTrades): void {
      if (takeCalls(missed.isDoubtful ? 'doubtful' : 'trades')) void readTrades(missed);
    },
    /** Fetches a transaction with truncated logs; one of pools within the budget. */
    complete(signature: string, venue: 'curve' | 'pool'): void {
      if (venue === 'pool' && (frames.isRead(signature) || !takeCalls('pool'))) return;
      void complete(signature);
    },
    /** Returns the slots since the start that could not be read completely, and the transactions cut short for good. */
    losses(): Readonly<typeof losses> {
      catchUp.countUnlisted();
      return losses;
    },
    stop: () => stopping.abort(),
  };
}

/** The new events of a fetched transaction, or why there are none. */
type Content = Observation[] | Extract<Fetched, string>;
type Fetching = ReturnType<typeof createFetching>;

/** Creates the queue that all transactions pass. After a stop it fetches nothing more. */
function createFetching(deps: GapsDeps, patience: Patience, signal: AbortSignal) {
  const { rpc, frames, clock, observe, unreadable, sawVersion } = deps;
  const queue = new PQueue({ concurrency: IN_FLIGHT });
  const decode = (signature: string, transaction: FetchedTransaction): Observation[] =>
    frames.readTransaction(signature, transaction, { receivedAt: clock.now(), shift: 0 });
  const onReadAgain = (signature: string, transaction: FetchedTransaction) =>
    observe(decode(signature, transaction), 'backfill');
  const read = createTransactionReader({ rpc, patience, unreadable, sawVersion, onReadAgain });
  const fetch = (signature: string): Promise<Fetched> =>
    queue.add(async () => (signal.aborted ? 'lost' : read(signature)));
  const contentOf = (signature: string, fetched: Fetched): Content =>
    typeof fetched === 'string' ? fetched : decode(signature, fetched);
  return {
    isFull: () => queue.size >= MAX_WAITING,
    one: async (signature: string): Promise<Content> => contentOf(signature, await fetch(signature)),
    /** Fetches transactions, a few ahead, and yields them in their order. Ends at a stop. */
    async *inOrder(wanted: readonly Listed[]): AsyncGenerator<Listed & { content: Content }> {
      const ahead: Promise<Fetched>[] = [];
      for (const [index, { signature, slot }] of wanted.entries()) {
        for (const further of wanted.slice(index + ahead.length, index + IN_FLIGHT)) {
          ahead.push(fetch(further.signature));
        }
        const fetched = (await ahead.shift()) ?? 'lost';
        if (signal.aborted) return;
        yield { signature, slot, content: contentOf(signature, fetched) };
      }
    },
  };
}

interface CatchUpDeps extends Omit<GapsDeps, 'limits'> {
  limits: GapLimits;
  fetching: Fetching;
  signal: AbortSignal;
  losses: { slotsMissed: number };
}

/** Creates the reader of the time without a connection: one gap after the other, while live observations are held. */
function createCatchUp(deps: CatchUpDeps) {
  const { order, log, signal, losses } = deps;
  /** A gap that could not be listed, until its end is known. */
  let unlisted: { after: number; firstSlot: Gap['firstSlot'] } | null = null;
  let isRunning = false;
  /** At most one gap waits: the older point includes the newer one. */
  let next: Gap | null = null;

  function countUnlisted(): void {
    const before = unlisted?.firstSlot() ?? null;
    if (unlisted === null || before === null) return;
    losses.slotsMissed += slotsBetween(unlisted.after, before);
    unlisted = null;
  }

  async function run(): Promise<void> {
    isRunning = true;
    order.hold();
    while (next !== null && !signal.aborted) {
      const { since, firstSlot } = next;
      next = null;
      try {
        losses.slotsMissed += await fill(since, deps);
      } catch (error) {
        // The live stream goes on; the gap stays, counted and logged.
        countUnlisted();
        unlisted = since === null || since.slot === null ? null : { after: since.slot, firstSlot };
        if (!signal.aborted) log.warn({ err: error }, 'backfill failed');
      }
    }
    isRunning = false;
    if (!signal.aborted) order.release();
  }

  return {
    countUnlisted,
    request({ since, firstSlot }: Gap): void {
      // Merges with a waiting gap: from the older point to the newer subscription.
      next = { since: next === null ? since : next.since, firstSlot };
      if (!isRunning) void run();
    },
  };
}

/** Observes the transactions since `point`. Resolves with the number of slots that stay incomplete. */
async function fill(point: ResumePoint | null, deps: CatchUpDeps): Promise<number> {
  const { rpc, frames, log, limits, signal } = deps;
  // Only events stored by an earlier process can repeat; this process knows its own by signature.
  const stored = point === null ? await deps.storedTokens() : [];
  const since = point ?? newestStored(stored);
  if (since === null) return 0;
  await pause(limits.settleMs, signal);
  const { transactions, complete } = await listSince(rpc, since, limits.pages);
  const unread = transactions.filter(({ signature }) => !frames.isRead(signature));
  const wanted = unread.slice(-limits.transactions);
  const signatures = new Set(wanted.map(({ signature }) => signature));
  const filter = createStoredFilter(stored, (signature) => signatures.has(signature));
  const count = { fetched: 0, lost: unread.length - wanted.length, unreadable: 0 };
  const lostSlots = new Set(unread.slice(0, count.lost).map(({ slot }) => slot));
  // Slots before the oldest listed transaction were cut off.
  const unlistedSlots = complete ? 0 : slotsBetween(since.slot, transactions[0]?.slot ?? null);
  for await (const { signature, slot, content } of deps.fetching.inOrder(wanted)) {
    const isRead = typeof content !== 'string';
    count[isRead ? 'fetched' : content] += 1;
    if (content === 'lost') lostSlots.add(slot);
    const fresh = filter.apply(signature, isRead ? content : []);
    deps.observe(fresh, 'backfill');
    deps.order.note(fresh);
  }
  if (signal.aborted) return unlistedSlots;
  log[complete && count.lost === 0 ? 'info' : 'warn']({ ...count, complete }, 'backfill finished');
  return unlistedSlots + lostSlots.size;
}

/** Creates a function that takes the calls of a request from those of the present minute; false when too few are left. */
function createCallBudget(perMinute: number, clock: Clock): (kind: keyof typeof costs) => boolean {
  let taken: { at: number; calls: number }[] = [];
  return (kind) => {
    const { calls, share } = costs[kind];
    const now = clock.now();
    taken = taken.filter(({ at }) => now - at < MINUTE);
    const used = taken.reduce((sum, one) => sum + one.calls, 0);
    if (used + calls > share * perMinute) return false;
    taken.push({ at: now, calls });
    return true;
  };
}

/** Lists the program's transactions since a point, oldest first; not `complete` when `maxPages` cut off the oldest ones. */
async function listSince(
  rpc: Rpc,
  since: ResumePoint,
  maxPages: number,
): Promise<{ transactions: Listed[]; complete: boolean }> {
  const program = new PublicKey(pumpProgram);
  const newestFirst: ConfirmedSignatureInfo[] = [];
  let complete = false;
  for (let page = 0; page < maxPages && !complete; page += 1) {
    const before = newestFirst.at(-1)?.signature;
    const range = { until: since.signature, limit: PAGE, ...(before === undefined ? {} : { before }) };
    const entries = await rpc.request((connection) => connection.getSignaturesForAddress(program, range, 'confirmed'));
    const end = entries.findIndex((entry) => entry.signature === since.signature || isBefore(entry, since));
    newestFirst.push(...(end < 0 ? entries : entries.slice(0, end)));
    complete = end >= 0 || entries.length < PAGE;
  }
  return { transactions: successful(newestFirst), complete };
}

function isBefore({ slot, blockTime }: ConfirmedSignatureInfo, since: ResumePoint): boolean {
  if (since.slot !== null && slot < since.slot) return true;
  return since.at !== null && typeof blockTime === 'number' && blockTime * 1_000 < since.at;
}

/** Lists the transactions of a coin's account between two events, oldest first; none for a gap that is too long. */
async function listTrades(rpc: Rpc, { address, account, after, before }: MissedTrades): Promise<Listed[]> {
  const key = new PublicKey(account ?? bondingCurveOf(address));
  const range = { before, limit: MAX_TRADES, ...(after.signature === null ? {} : { until: after.signature }) };
  const entries = await rpc.request((connection) => connection.getSignaturesForAddress(key, range, 'confirmed'));
  if (entries.length >= MAX_TRADES) return [];
  // A node that does not know `until` lists older transactions too.
  return successful(entries).filter(({ slot }) => after.slot === null || slot >= after.slot);
}

/** Returns the successful ones of a list that has the newest first, oldest first. */
function successful(newestFirst: readonly ConfirmedSignatureInfo[]): Listed[] {
  return newestFirst.flatMap(({ signature, slot, err }) => (err === null ? { signature, slot } : [])).reverse();
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
