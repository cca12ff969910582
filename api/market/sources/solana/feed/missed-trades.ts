import { PublicKey } from '@solana/web3.js';
import type { Logger } from 'pino';
import { type Clock, MINUTE } from '../../../../../common/time.ts';
import type { Rpc } from '../../../../chain/rpc.ts';
import { pause } from '../../../../platform/resilience.ts';
import type { Observation } from '../../observation.ts';
import type { MissedTrades } from '../../source.ts';
import type { Frames } from '../decode/frames.ts';
import type { FetchedTransaction } from '../decode/program-events.ts';
import { bondingCurveOf } from '../programs.ts';
import { type Fetching, fetchInOrder, type MissedTransactions, type Patience } from './missed-transactions.ts';
import type { Unreadable } from './unreadable.ts';

/** The part of the node's budget for missed trades: at 4 calls a second a minute has 240. */
const defaultLimits = {
  /** Gaps read within a minute; those beyond stay counted. Doubtful ones take half of it at most. */
  perMinute: 6,
  /** Pause before listing, ms: a node's signature index lags behind its notifications. */
  settleMs: 1_000,
};
export type MissedTradesLimits = typeof defaultLimits;
/** Gaps that wait. */
const MAX_WAITING = 50;
/** Transactions of one gap; a longer one is not read, since it could not be closed. */
const MAX_TRANSACTIONS = 20;
const patience: Patience = { tries: 2, pauseMs: 1_000 };

/** Reads the trades between two observed ones of a coin, one gap after the other. */
export interface MissedTradesReader {
  request(missed: MissedTrades): void;
  stop(): void;
}

interface MissedTradesDeps {
  rpc: Rpc;
  frames: Frames;
  clock: Clock;
  log: Logger;
  observe: (observations: readonly Observation[]) => void;
  unreadable: Unreadable;
  sawVersion: Fetching['sawVersion'];
  limits: Partial<MissedTradesLimits>;
}

export function createMissedTradesReader(deps: MissedTradesDeps): MissedTradesReader {
  const { clock, log } = deps;
  const limits = { ...defaultLimits, ...deps.limits };
  const stopping = new AbortController();
  const queue: MissedTrades[] = [];
  let started: number[] = [];
  let running = false;

  async function run(): Promise<void> {
    running = true;
    for (let missed = queue.shift(); missed !== undefined; missed = queue.shift()) {
      try {
        await readGap(missed, { ...deps, limits, signal: stopping.signal });
      } catch (error) {
        // The gap stays counted, and the coin incomplete.
        if (!stopping.signal.aborted) log.debug({ err: error, address: missed.address }, 'missed trades not read');
      }
      if (stopping.signal.aborted) return;
    }
    running = false;
  }

  return {
    request(missed) {
      const now = clock.now();
      started = started.filter((at) => now - at < MINUTE);
      const most = missed.isDoubtful ? Math.floor(limits.perMinute / 2) : limits.perMinute;
      if (started.length >= most || queue.length >= MAX_WAITING) return;
      started.push(now);
      queue.push(missed);
      if (!running) void run();
    },
    stop: () => stopping.abort(),
  };
}

async function readGap(
  missed: MissedTrades,
  deps: MissedTradesDeps & { limits: MissedTradesLimits; signal: AbortSignal },
): Promise<void> {
  const { rpc, frames, clock, log, observe, unreadable, sawVersion, limits, signal } = deps;
  const read = (signature: string, transaction: FetchedTransaction) =>
    observe(frames.readTransaction(signature, transaction, { receivedAt: clock.now(), shift: 0 }));
  const fetching: Fetching = { rpc, patience, unreadable, sawVersion, onReadAgain: read };
  await pause(limits.settleMs, signal);
  const unread = (await listBetween(rpc, missed)).filter(({ signature }) => !frames.isRead(signature));
  let notRead = 0;
  for await (const { signature, transaction } of fetchInOrder(fetching, unread, 1)) {
    if (signal.aborted) return;
    if (transaction === 'lost' || transaction === 'unreadable') notRead += 1;
    else read(signature, transaction);
  }
  log.debug({ address: missed.address, read: unread.length - notRead, notRead }, 'missed trades read');
}

/** Lists the account's successful transactions between two events, oldest first; none for a gap that is too long. */
async function listBetween(
  rpc: Rpc,
  { address, account, after, before }: MissedTrades,
): Promise<MissedTransactions['transactions']> {
  const key = new PublicKey(account ?? bondingCurveOf(address));
  const range = { before, limit: MAX_TRANSACTIONS, ...(after.signature === null ? {} : { until: after.signature }) };
  const entries = await rpc.request((connection) => connection.getSignaturesForAddress(key, range, 'confirmed'));
  if (entries.length >= MAX_TRANSACTIONS) return [];
  // A node that does not know `until` lists older transactions too.
  return entries
    .filter(({ err, slot }) => err === null && (after.slot === null || slot >= after.slot))
    .map(({ signature, slot }) => ({ signature, slot }))
    .reverse();
}
