import { PublicKey } from '@solana/web3.js';
import type { Logger } from 'pino';
import type { Clock } from '../../../../../common/time.ts';
import type { Rpc } from '../../../../chain/rpc.ts';
import { readable, unreadableVersion } from '../../../../chain/versions.ts';
import { createGrowingCache } from '../../../../platform/growing-cache.ts';
import type { Funding, Observation } from '../../observation.ts';
import { createFetchQueue, type FetchQueue } from '../feed/fetch-queue.ts';
import type { Unreadable } from '../feed/unreadable.ts';
import type { Launch } from './launch-watch.ts';

export interface LaunchReaderOptions {
  rpc: Rpc;
  clock: Clock;
  log: Logger;
  observe: (observations: readonly Observation[]) => void;
  unreadable: Unreadable;
}

/** Launches that wait; beyond it the oldest is dropped, as its coin is the furthest along. One is read at a time. */
const MAX_WAITING = 50;
/** A wallet with as many transactions is not fresh: its first SOL says nothing about this launch. */
const FRESH_BELOW = 100;
/** A funder with as many transactions serves the public, as an exchange does. This is the most that a node returns. */
const BUSY_FROM = 1_000;
/** Buyers with one funder from which on it is checked whether it serves the public. */
const COMMON_FUNDER_WALLETS = 3;
/** Wallets whose funder is remembered: snipers buy many coins. */
const MAX_WALLETS = 5_000;

/** Creates a reader of launches: it reads who paid for each creation and who funded its first buyers. */
export function createLaunchReader({ rpc, clock, log, observe, unreadable }: LaunchReaderOptions): FetchQueue<Launch> {
  const funders = createGrowingCache<{ funder: string | null }>(MAX_WALLETS);
  const busy = createGrowingCache<boolean>(MAX_WALLETS);
  let isStopped = false;

  /** Reads what can be read of a launch and observes it. Then throws the error of a part that is unreadable yet. */
  async function read(launch: Launch): Promise<void> {
    let unread: unknown = null;
    const orUnreadable = (error: unknown) => {
      if (unreadableVersion(error) === undefined) throw error;
      unread = error;
      return null;
    };
    const feePayer = (await readBalances(rpc, launch.signature).catch(orUnreadable))?.payer ?? null;
    const found: Funding[] = [];
    for (const wallet of launch.buyers) {
      if (isStopped) return;
      const read = async () => ({ funder: await readFunder(rpc, wallet) });
      const known = funders.get(wallet) ?? (await read().catch(orUnreadable));
      if (known === null) continue;
      funders.set(wallet, known);
      if (known.funder !== null) found.push({ wallet, funder: known.funder });
    }
    // A part of the funders would look like all of them.
    const complete = unread === null ? { funders: await withoutServices(found, launch, feePayer) } : {};
    const facts = { feePayer, ...complete };
    const now = clock.now();
    const { address } = launch;
    if (!isStopped) observe([{ kind: 'facts', source: 'rpc', at: now, receivedAt: now, address, facts, slot: null }]);
    if (unread !== null) throw unread;
  }

  /** Leaves out common funders that serve the public: their customers have nothing else in common. */
  async function withoutServices(found: Funding[], { developer }: Launch, payer: string | null): Promise<Funding[]> {
    const services = new Set<string>();
    for (const funder of new Set(found.map((one) => one.funder))) {
      const funded = found.filter((one) => one.funder === funder).length;
      if (funded < COMMON_FUNDER_WALLETS || developer.has(funder) || funder === payer) continue;
      const isBusy = busy.get(funder) ?? (await countSignatures(rpc, funder, BUSY_FROM)) >= BUSY_FROM;
      busy.set(funder, isBusy);
      if (isBusy) services.add(funder);
    }
    return found.filter(({ funder }) => !services.has(funder));
  }

  async function fetch(launch: Launch): Promise<void> {
    try {
      await read(launch);
    } catch (error) {
      if (isStopped || unreadable.note(`launch ${launch.signature}`, error, () => read(launch))) return;
      // The facts stay unknown, which the score supports.
      log.debug({ err: error, address: launch.address }, 'launch not read');
    }
  }

  const queue = createFetchQueue({ fetch, inFlight: 1, waiting: MAX_WAITING });
  return {
    ...queue,
    stop() {
      isStopped = true;
      queue.stop();
    },
  };
}

/** Resolves with the wallet that sent another one its first SOL; null for a wallet that is not fresh, or funded itself. */
async function readFunder(rpc: Rpc, wallet: string): Promise<string | null> {
  const key = new PublicKey(wallet);
  const signatures = await rpc.request((connection) => connection.getSignaturesForAddress(key, { limit: FRESH_BELOW }));
  const oldest = signatures.at(-1);
  if (oldest === undefined || signatures.length >= FRESH_BELOW) return null;
  const first = await readBalances(rpc, oldest.signature);
  if (first === null || first.payer === wallet) return null;
  return (first.gains.get(wallet) ?? 0) > 0 ? first.payer : null;
}

async function countSignatures(rpc: Rpc, wallet: string, limit: number): Promise<number> {
  const key = new PublicKey(wallet);
  return (await rpc.request((connection) => connection.getSignaturesForAddress(key, { limit }))).length;
}

/** Resolves with the fee payer of a transaction and what its accounts gained, lamports; null when the node does not have it. */
async function readBalances(
  rpc: Rpc,
  signature: string,
): Promise<{ payer: string; gains: ReadonlyMap<string, number> } | null> {
  const found = await rpc.request((connection) => connection.getTransaction(signature, readable));
  const payer = found?.transaction.message.staticAccountKeys[0];
  if (!found?.meta || payer === undefined) return null;
  const { preBalances, postBalances } = found.meta;
  const gains = found.transaction.message.staticAccountKeys.map((key, index): [string, number] => [
    key.toBase58(),
    (postBalances[index] ?? 0) - (preBalances[index] ?? 0),
  ]);
  return { payer: payer.toBase58(), gains: new Map(gains) };
}
