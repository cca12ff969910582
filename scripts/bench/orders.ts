/**
 * `npm run bench:orders`: 100 users buy and sell on the local chain, over a MongoDB of their own. Time from the decision to the
 * first send, and from there to the chain's verdict, beside the time that the node itself takes. Then a few users trade with
 * slow keys, and with slow looks at the chain: each has to miss its bar, or the bars would measure nothing. Prints one JSON line.
 * `--quick` is a short run, which tests the benchmark and measures nothing but the slow parts.
 */
import { randomBytes } from 'node:crypto';
import os from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Types } from 'mongoose';
import { openAudit } from '../../api/audit/service.ts';
import { masterKey, masterKeyText } from '../../api/config/master-key.ts';
import { openKeys } from '../../api/keys/service.ts';
import { connectDatabase } from '../../api/platform/database.ts';
import { createLog } from '../../api/platform/log.ts';
import type { Executor } from '../../api/trading/executors/executor.ts';
import type { OrderRecord } from '../../api/trading/orders/model.ts';
import type { OrderRequest } from '../../api/trading/orders/place.ts';
import { purchase, sale } from '../../api/trading/testing/desk.ts';
import { openWallets } from '../../api/wallet/service.ts';
import { listCoin } from '../local-chain/program/testing/listed-coin.ts';
import { SOL } from '../local-chain/testing/client.ts';
import { type ChainTrader, createChainDesk } from '../resilience/testing/chain-desk.ts';
import { embeddedMongoForTest } from '../testing/embedded-mongo.ts';
import { startLocalChainForTest } from '../testing/local-chain.ts';
import { describeMachine, percentile } from './measure.ts';

/** Decided → sent, ms; sent → confirmed, slots; opening a key and signing, ms. */
const BARS = { p50: 60, p99: 150, slots: 2, signP50: 5 };
/** A slot of the local chain as it starts with the server, ms. */
const SLOT_MS = 200;

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
/** Each user buys and sells in turns, with pauses of random length around `pauseMs`. */
const settings = values.quick ? { users: 5, trades: 2, pauseMs: 200 } : { users: 100, trades: 6, pauseMs: 6_000 };
/** A run that is slowed on purpose. */
const slowedRun = { users: 5, trades: 2, pauseMs: 200 };
/** Delays of the present run, ms: of each signature and of each look at the chain. */
const slowed = { sign: 0, look: 0 };

const loadBefore = os.loadavg();
const mongo = await embeddedMongoForTest();
const chain = await startLocalChainForTest({ slotMs: SLOT_MS });
const connection = await connectDatabase(mongo.uri, createLog('silent'));

/** Times by order, epoch ms: when its first send began, and how long the node took for it. */
const sent = new Map<string, number>();
const nodeMs: number[] = [];
/** How long it took to open keys and to sign with them. */
const signMs: number[] = [];
const clock = { now: Date.now };
const master = masterKeyText(masterKey(randomBytes(32)));
const wallets = await openWallets(connection, {
  keys: await openKeys(connection, { walletMasterKeys: [master], dataDir: os.tmpdir() }, clock),
  audit: await openAudit(connection, clock),
  clock,
});
const desk = await createChainDesk({
  connection,
  chain,
  keys: {
    secretKey: wallets.secretKey,
    async add(userId, pair) {
      const walletAddress = pair.publicKey.toBase58();
      const by = { user: { _id: new Types.ObjectId(userId), username: 'trader' }, address: '127.0.0.1' };
      await wallets.save(userId, { walletAddress, privateKey: Buffer.from(pair.secretKey).toString('hex') }, by);
    },
  },
  signing: (signer) => ({
    async sign(...trade) {
      const from = performance.now();
      if (slowed.sign > 0) await pause(slowed.sign);
      const signed = await signer.sign(...trade);
      signMs.push(performance.now() - from);
      return signed;
    },
  }),
  trading: (curve): Executor => ({
    ...curve,
    async look(attempts) {
      if (slowed.look > 0) await pause(slowed.look);
      return curve.look(attempts);
    },
  }),
  sending: (send) => async (attempt, isFirst) => {
    const at = Date.now();
    if (!sent.has(attempt.orderId)) sent.set(attempt.orderId, at);
    const from = performance.now();
    const result = await send(attempt, isFirst);
    nodeMs.push(performance.now() - from);
    return result;
  },
});
const running = await desk.process();
const decided = new Set<string>();
const waiting = new Map<string, () => void>();
running.bus.on('order-changed', ({ order }) => {
  if (order.times.decided === null) return;
  decided.add(order.id);
  waiting.get(order.id)?.();
});
running.startWorker();

/** Makes an order and waits for its verdict. Returns the time of the request until it was decided upon, ms. */
async function trade({ userId }: ChainTrader, request: OrderRequest): Promise<number> {
  const from = Date.now();
  const placement = await running.placing.place(userId, request);
  if (placement.type !== 'placed') throw new Error(JSON.stringify(placement));
  const { _id, times } = placement.order;
  const id = _id.toHexString();
  if (!decided.has(id)) await new Promise<void>((resolve) => waiting.set(id, resolve));
  return times.created - from;
}

const coin = (await listCoin(chain)).toBase58();
const sentAt = ({ _id }: OrderRecord): number => sent.get(_id.toHexString()) ?? Number.NaN;

/** Has users trade in turns. Resolves with the orders that were confirmed, and the time of each request until its decision, ms. */
async function tradeAll({ users, trades, pauseMs }: typeof settings) {
  for (const times of [signMs, nodeMs]) times.length = 0;
  const traders = await Promise.all(Array.from({ length: users }, () => desk.trader()));
  for (const { userId } of traders) await running.accountStore.set(userId, { 'limits.maxOpen': 100 }, Date.now());
  const requestedMs: number[] = [];
  const startedAt = performance.now();
  await Promise.all(
    traders.map(async (trader) => {
      for (let number = 0; number < trades; number += 1) {
        await pause(Math.random() * 2 * pauseMs);
        const isBuy = number % 2 === 0;
        requestedMs.push(await trade(trader, isBuy ? purchase(SOL / 100, { address: coin }) : sale({ address: coin })));
      }
    }),
  );
  const seconds = (performance.now() - startedAt) / 1_000;
  const userIds = traders.map(({ userId }) => new Types.ObjectId(userId));
  const orders: OrderRecord[] = await running.models.orders.find({ userId: { $in: userIds } }).lean<OrderRecord[]>();
  return { confirmed: orders.filter(({ status }) => status === 'confirmed'), requestedMs, seconds };
}

/** Returns the figures of a run, and the bars that it misses. */
function judged({ confirmed, requestedMs }: Awaited<ReturnType<typeof tradeAll>>) {
  const stages = {
    requestedToDecidedMs: requestedMs,
    decidedToHeldMs: confirmed.map(({ times }) => (times.held ?? 0) - times.created),
    signMs,
    decidedToSentMs: confirmed.map((order) => sentAt(order) - order.times.created),
    nodeMs,
    sentToConfirmedMs: confirmed.map((order) => (order.times.decided ?? 0) - sentAt(order)),
  };
  const figures = Object.fromEntries(
    Object.entries(stages).map(([name, all]) => [name, { p50: percentile(all, 0.5), p99: percentile(all, 0.99) }]),
  );
  const slots = percentile(stages.sentToConfirmedMs, 0.5) / SLOT_MS;
  const met = {
    p50: percentile(stages.decidedToSentMs, 0.5) <= BARS.p50,
    p99: percentile(stages.decidedToSentMs, 0.99) <= BARS.p99,
    slots: slots <= BARS.slots,
    signP50: percentile(signMs, 0.5) <= BARS.signP50,
  };
  return { figures, slots, missed: Object.entries(met).flatMap(([bar, isMet]) => (isMet ? [] : bar)) };
}

// How late this process itself was, which also plays the users.
const loopDelay = monitorEventLoopDelay({ resolution: 5 });
loopDelay.enable();
const run = await tradeAll(settings);
loopDelay.disable();
const delayMs = { p50: loopDelay.percentile(50) / 1e6, p99: loopDelay.percentile(99) / 1e6 };
const { figures, slots, missed } = judged(run);

slowed.sign = 2 * BARS.p99;
const slowKeys = judged(await tradeAll(slowedRun)).missed;
Object.assign(slowed, { sign: 0, look: 2 * BARS.slots * SLOT_MS });
const slowLooks = judged(await tradeAll(slowedRun)).missed;
const areBarsReal = ['p50', 'p99', 'signP50'].every((bar) => slowKeys.includes(bar)) && slowLooks.includes('slots');

const isComplete = run.confirmed.length === settings.users * settings.trades;
const pass = isComplete && areBarsReal && (values.quick || missed.length === 0);
const machine = describeMachine(loadBefore);
const rates = { orders: run.confirmed.length, perSecond: Math.round(run.confirmed.length / run.seconds) };
const control = { slowKeys, slowLooks };
console.log(
  JSON.stringify({ bench: 'orders', bars: BARS, ...rates, ...figures, slots, missed, control, delayMs, machine, pass }),
);

await running.stopWorkers();
desk.stop();
await connection.close();
await chain.remove();
await mongo.remove();
process.exitCode = pass ? 0 : 1;
