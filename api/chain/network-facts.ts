import type { Logger } from 'pino';
import { z } from 'zod';
import { type Clock, HOUR, MINUTE, type Random, SECOND } from '../../common/time.ts';
import { ACCOUNT_OVERHEAD_BYTES } from '../../common/trading/fills.ts';
import { RpcError } from './rpc-error.ts';
import { createRpcFetch, defaultLimits } from './rpc-fetch.ts';

/** Facts change at the begin of an epoch, which lasts a day. */
const AGAIN_MS = HOUR;
/** Pause until slot length and rent are known, ms. */
const RETRY_MS = MINUTE;
/** Samples of a minute each, over which the length of a slot is averaged. */
const SAMPLES = 10;
/** Slots are a little longer than the cluster wants, which changes their length in steps of 50 ms (SIMD-0525). */
const SLOT_STEP_MS = 50;
const METHOD_NOT_FOUND = -32_601;

/** Version of a transaction. */
export type TransactionVersion = 'legacy' | number;

/** A fact of the network, and when its node gave it, epoch ms. */
export interface NetworkFact<Value> {
  value: Value;
  at: number;
}

/** Facts of a cluster that change while a server runs. Each is null while it is not known. */
export interface NetworkFactSet {
  /** Length of a slot, ms. */
  slotMs: NetworkFact<number> | null;
  /** Rent of a byte of an account, lamports. */
  rentPerByte: NetworkFact<number> | null;
  /** Whether the consensus by Alpenglow is in force. Null also for a node that does not know of it. */
  isAlpenglow: NetworkFact<boolean> | null;
  /** Versions of the transactions that were read since the start, as of the last one. */
  versions: NetworkFact<readonly TransactionVersion[]> | null;
}

/** Facts of the cluster, read once an hour. A fact that its node does not give keeps its last value. */
export type NetworkFacts = ReturnType<typeof createNetworkFacts>;

/** Creates the facts of a node's cluster, not read yet. */
export function createNetworkFacts(deps: {
  /** Address of the node; null: no chain is configured, and nothing is ever known. */
  url: string | null;
  clock: Clock;
  random: Random;
  log: Pick<Logger, 'info' | 'warn'>;
}) {
  const { url, clock, random, log } = deps;
  const node = url === null ? null : createFactNode(url, random);
  const versions = new Set<TransactionVersion>();
  /** When the last one was read, epoch ms; null before the first. */
  let versionAt: number | null = null;
  let read: Omit<NetworkFactSet, 'versions'> = { slotMs: null, rentPerByte: null, isAlpenglow: null };
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  function keep(facts: Partial<typeof read>): void {
    read = { ...read, ...facts };
  }

  function known(): NetworkFactSet {
    return { ...read, versions: versionAt === null ? null : { value: [...versions], at: versionAt } };
  }

  async function readOnce({ slotMs, rentPerByte, isAlpenglow }: FactNode): Promise<void> {
    const fact = <Value>(value: Value) => ({ value, at: clock.now() });
    const readings = await Promise.allSettled([
      slotMs().then((value) => value !== null && keep({ slotMs: fact(value) })),
      rentPerByte().then((value) => keep({ rentPerByte: fact(value) })),
      isAlpenglow().then((value) => value !== null && keep({ isAlpenglow: fact(value) })),
    ]);
    for (const reading of readings) {
      if (reading.status === 'rejected' && !isStopped)
        log.warn({ error: reading.reason }, 'fact of the network not read');
    }
  }

  async function readAgain(from: FactNode): Promise<void> {
    await readOnce(from);
    if (isStopped) return;
    log.info(known(), 'facts of the network');
    timer = setTimeout(() => void readAgain(from), read.slotMs && read.rentPerByte ? AGAIN_MS : RETRY_MS);
  }

  return {
    known,
    slotMs: (): number | null => read.slotMs?.value ?? null,
    rentPerByte: (): number | null => read.rentPerByte?.value ?? null,
    /** Notes the version of a transaction that was read. */
    sawVersion(version: TransactionVersion): void {
      versions.add(version);
      versionAt = clock.now();
    },
    /** Reads the facts now, and again each hour. */
    start(): void {
      if (node !== null && !isStopped) void readAgain(node);
    },
    stop(): void {
      isStopped = true;
      clearTimeout(timer);
      node?.stop();
    },
  };
}

/** What a node gives of the facts. Every call rejects while the node is away. */
type FactNode = ReturnType<typeof createFactNode>;

const samplesSchema = z.array(z.object({ numSlots: z.int().nonnegative(), samplePeriodSecs: z.number().positive() }));
const responseSchema = z.union([
  z.object({ result: z.unknown() }).refine((response) => 'result' in response),
  z.object({ error: z.object({ code: z.number(), message: z.string() }) }),
]);

function createFactNode(url: string, random: Random) {
  const rpcFetch = createRpcFetch({ now: () => performance.now(), random, limits: defaultLimits });

  /** Calls a method; one of these is newer than web3.js. Resolves with undefined when the node does not know it. */
  async function call(method: string, params: readonly unknown[] = []): Promise<unknown> {
    const answer = responseSchema.parse(await rpcFetch.call(url, method, params));
    if (!('error' in answer)) return answer.result;
    if (answer.error.code === METHOD_NOT_FOUND) return undefined;
    throw new RpcError('http');
  }

  return {
    async slotMs(): Promise<number | null> {
      const samples = samplesSchema.parse((await call('getRecentPerformanceSamples', [SAMPLES])) ?? []);
      const slots = samples.reduce((sum, { numSlots }) => sum + numSlots, 0);
      const seconds = samples.reduce((sum, { samplePeriodSecs }) => sum + samplePeriodSecs, 0);
      if (slots === 0) return null;
      return Math.max(SLOT_STEP_MS, Math.round((seconds * SECOND) / slots / SLOT_STEP_MS) * SLOT_STEP_MS);
    },
    async rentPerByte(): Promise<number> {
      const ofNoData = z
        .int()
        .positive()
        .parse(await call('getMinimumBalanceForRentExemption', [0]));
      return Math.ceil(ofNoData / ACCOUNT_OVERHEAD_BYTES);
    },
    async isAlpenglow(): Promise<boolean | null> {
      const certificate = await call('getAgGenesisCert');
      return certificate === undefined ? null : certificate !== null;
    },
    stop: rpcFetch.stop,
  };
}
