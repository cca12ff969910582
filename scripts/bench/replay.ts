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
import { seeded } from '../../api/alerts/testing/tokens.ts';
import { createLog } from '../../api/platform/log.ts';
import type { Change, CoreAccount, CorePlan } from '../../api/trading/plans/core/model.ts';
import { type RunResult, runJob } from '../../api/trading/replay/run-job.ts';
import { hourEnd, hourOf } from '../../api/trading/tape/format.ts';
import { createTape } from '../../api/trading/tape/tape.ts';
import { HOUR, MINUTE, SECOND } from '../../common/time.ts';
import { defaultLimits, noExits } from '../../common/trading/account.ts';
import { describeMachine } from './measure.ts';
import { createBenchMarket } from './trading/market.ts';
import { benchAccount } from './trading/plans.ts';

/** Times faster than real time. */
const BAR = 60;
const TICK_MS = 100;
/** Updates a second over all tokens, 500 of them price steps, and new tokens a minute. */
const RATES = { updates: 620, launches: 60 };
const SOL = 1_000_000_000;
const USER = '6a0000000000000000000001';
const START = Date.UTC(2026, 10, 23, 5);

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const length = values.quick ? MINUTE : HOUR;
const loadBefore = os.loadavg();
const dir = await mkdtemp(path.join(os.tmpdir(), 'mintwatch-bench-replay-'));

const market = createBenchMarket(seeded(7));

/** Records an hour. Returns the time it took, ms, and the number of its changes. */
async function record(): Promise<{ ms: number; changes: number }> {
  const tape = createTape({
    dir,
    limits: { hours: 2, bytes: 4e9 },
    snapshot: () => [],
    log: createLog('silent'),
  });
  await tape.start();
  const from = performance.now();
  let changes = 0;
  for (let now = START; now < START + length; now += TICK_MS) {
    const tick: Change[] = now === START ? [{ type: 'source', source: 'bench', isLive: true }] : [];
    if ((now - START) % (MINUTE / RATES.launches) === 0) tick.push(...market.launch(now));
    tick.push(...market.updates((RATES.updates * TICK_MS) / SECOND, now, now + TICK_MS));
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
  ...{ minLiquidity: null, maxRisk: null, buyUnknownRisk: true, buyWithinSeconds: null, activeSince: START },
  exits: { ...noExits, stopLossPercent: 10, takeProfitPercent: 15 },
};

const account: CoreAccount = {
  ...benchAccount(USER, START),
  moneyLamports: 1_000 * SOL,
  limits: { ...defaultLimits, maxOpen: 100, perDayLamports: 1_000 * SOL, maxDayLossLamports: 1_000 * SOL },
};

async function replay(of: CorePlan): Promise<{ ms: number; result: RunResult }> {
  const from = performance.now();
  const result = await runJob(
    {
      ...{ dir, hour: hourOf(START), until: hourEnd(hourOf(START)) },
      ...{ plan: of, account, lists: [], delays: { p50: 900, p90: 1_500 } },
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
  ...{ speed, seconds: ms / SECOND, changes: recorded.changes, tokens: market.addresses.length },
  writtenPerSecond: Math.round((recorded.changes / recorded.ms) * SECOND),
  ...{ bought: sums.bought, sold: sums.closed, heapMB: Math.round(process.memoryUsage().heapUsed / 2 ** 20) },
};
const machine = describeMachine(loadBefore);
console.log(JSON.stringify({ bench: 'replay', bar: BAR, rates: RATES, ...figures, isSound, machine, pass }));
await rm(dir, { recursive: true });
process.exitCode = pass ? 0 : 1;
