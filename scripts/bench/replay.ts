/**
 * `npm run bench:replay`: writes an hour of tape of a busy market by the writer of the server, and runs a plan over it. Prints one
 * JSON line: how many times faster than real time it is. Checks itself: the run has to buy and sell, and the same plan without exits
 * must not sell. `--quick` is a short run, which tests the benchmark and
 * measures nothing.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { createLog } from '../../api/platform/log.ts';
import type { Change, CoreAccount, CorePlan } from '../../api/trading/core/model.ts';
import { runJob } from '../../api/trading/replay/run-job.ts';
import { hourEnd, hourOf } from '../../api/trading/tape/format.ts';
import { createTape } from '../../api/trading/tape/tape.ts';
import type { ReplayResult } from '../../common/replay/model.ts';
import { HOUR, MINUTE, SECOND } from '../../common/time.ts';
import { defaultLimits, noExits } from '../../common/trading/account.ts';
import { emptyBook } from '../../common/trading/limits/book.ts';
import { defaultProtections } from '../../common/trading/limits/protections.ts';
import { describeMachine } from './http/machine.ts';

/** Times faster than real time. */
const BAR = 60;
const TICK_MS = 100;
/** Price steps a second over all tokens, and new tokens a minute. */
const RATES = { steps: 500, launches: 60 };
const SOL = 1_000_000_000;
const USER = '6a0000000000000000000001';
const START = Date.UTC(2026, 10, 23, 5);
const FOLLOWED = 300;

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const length = values.quick ? MINUTE : HOUR;
const loadBefore = os.loadavg();
const dir = await mkdtemp(path.join(os.tmpdir(), 'mintwatch-bench-replay-'));

let seed = 7;
/** Returns a number in [0, 1), the same ones in each run. */
function random(): number {
  seed = (seed * 1_664_525 + 1_013_904_223) % 2 ** 32;
  return seed / 2 ** 32;
}

interface Coin {
  address: string;
  sold: number;
}

const coins: Coin[] = [];
const nameOf = (number: number) =>
  String(number + 100_000)
    .replaceAll('0', 'z')
    .padStart(40, 'B');

function priceOf({ address, sold }: Coin, at: number): Change {
  const virtualToken = 1_073_000_000_000_000 - sold;
  const virtualQuote = Math.round((30 * SOL * 1_073_000_000_000_000) / virtualToken);
  const reserves = {
    virtualToken,
    virtualQuote,
    realToken: 793_100_000_000_000 - sold,
    realQuote: virtualQuote - 30 * SOL,
  };
  const price = virtualQuote / SOL / (virtualToken / 1e6);
  const liquidity = (2 * virtualQuote) / SOL;
  return { type: 'price', price: { address, at, price, liquidity, reserves, venue: 'curve', stage: 'curve' } };
}

function launch(at: number): Change[] {
  const coin = { address: nameOf(coins.length), sold: 1_000_000_000_000 };
  coins.push(coin);
  const { address } = coin;
  const token = { address, symbol: 'COIN', detectedAt: at, isNew: true, source: 'simulator', launchpad: 'simulator' };
  const facts = { address, symbol: 'COIN', holders: 3, risk: 20, quote: 'SOL', decimals: 6 };
  return [{ type: 'token', token }, { type: 'facts', facts }, priceOf(coin, at)];
}

function step(at: number): Change[] {
  const coin = coins[coins.length - 1 - Math.floor(random() * Math.min(coins.length, FOLLOWED))];
  if (!coin) return [];
  coin.sold = Math.round(Math.min(700e12, Math.max(0, coin.sold + (random() - 0.47) * 8e12)));
  return [priceOf(coin, at)];
}

/** Records an hour. Returns the time it took, ms, and the number of its changes. */
async function record(): Promise<{ ms: number; changes: number }> {
  const tape = createTape({
    dir,
    limits: { hours: 2, bytes: 4e9 },
    snapshot: () => ({ changes: [], positions: [] }),
    log: createLog('silent'),
  });
  await tape.start();
  const from = performance.now();
  let changes = 0;
  for (let now = START; now < START + length; now += TICK_MS) {
    const tick: Change[] = now === START ? [{ type: 'source', source: 'simulator', isLive: true }] : [];
    if ((now - START) % (MINUTE / RATES.launches) === 0) tick.push(...launch(now));
    for (let one = 0; one < (RATES.steps * TICK_MS) / SECOND; one += 1) tick.push(...step(now));
    changes += tick.length;
    tape.record(now, tick);
    // The bench is faster than any market; nothing may be shed.
    if ((now / TICK_MS) % 100 === 0) await tape.flush();
  }
  await tape.stop();
  if (tape.leftOut() > 0) throw new Error('steps were left out');
  return { ms: performance.now() - from, changes };
}

const plan: CorePlan = {
  ...{
    id: '6b0000000000000000000001',
    userId: USER,
    kind: 'strategy',
    name: 'Bench',
    lamports: SOL / 20,
    slippageBps: 1_000,
  },
  conditions: {
    type: 'price_based',
    configuration: { priceConfig: { option: 'buy_at_uptrend', trendPercentage: 5, trendDuration: 30 } },
  },
  ...{ minLiquidity: null, maxRisk: null, buyUnknownRisk: true, activeSince: START },
  exits: { ...noExits, stopLossPercent: 10, takeProfitPercent: 15 },
};

const account: CoreAccount = {
  ...{
    userId: USER,
    mode: 'paper',
    isUserActive: true,
    wallet: { address: 'paper', hasKey: false },
    tradesPools: true,
  },
  ...{ isStopped: false, unknownOrders: 0, moneyLamports: 1_000 * SOL, protections: defaultProtections },
  limits: { ...defaultLimits, maxOpen: 100, perDayLamports: 1_000 * SOL, maxDayLossLamports: 1_000 * SOL },
  book: emptyBook('2026-11-23'),
};

async function replay(of: CorePlan): Promise<{ ms: number; result: ReplayResult }> {
  const from = performance.now();
  const result = await runJob(
    {
      ...{
        dir,
        hour: hourOf(START),
        until: hourEnd(hourOf(START)),
        userId: USER,
        wallet: 'paper',
        defaultExits: noExits,
      },
      plans: { type: 'own', plan: of, account, lists: [], delays: { p50: 900, p90: 1_500 } },
      opening: { fills: [], boughtBy: ['wallet'], resetAt: null },
      live: { mode: null, orders: [], fills: [] },
    },
    () => {},
  );
  if (result === null) throw new Error('nothing was recorded');
  return { ms: performance.now() - from, result };
}

const recorded = await record();
const { ms, result } = await replay(plan);
const other = await replay({ ...plan, exits: noExits });
const { sums } = result.replay;
// The run has to trade, and has to depend on its plan.
const isSound = sums.closed > 0 && sums.bought > sums.open && other.result.replay.sums.closed === 0;
const speed = Math.round(length / ms);
const pass = isSound && (values.quick || speed >= BAR);
const figures = {
  ...{ speed, seconds: ms / SECOND, changes: recorded.changes, tokens: coins.length },
  writtenPerSecond: Math.round((recorded.changes / recorded.ms) * SECOND),
  ...{ bought: sums.bought, sold: sums.closed, heapMB: Math.round(process.memoryUsage().heapUsed / 2 ** 20) },
};
const machine = describeMachine(loadBefore);
console.log(JSON.stringify({ bench: 'replay', bar: BAR, rates: RATES, ...figures, isSound, machine, pass }));
await rm(dir, { recursive: true });
process.exitCode = pass ? 0 : 1;
