#!/usr/bin/env node
/**
 * `npm run test:soak`: the proofs of trading with many more rounds than in `npm test`, about half an hour on two cores. A count in
 * the environment replaces the one below, such as `KILL_ROUNDS=2 npm run test:soak`.
 */
import { ensureBuilt, targets } from './steps/build.mjs';
import { prepare } from './steps/prepare.mjs';
import { runSuite, runVitest } from './steps/suite.mjs';

/** Rounds by variable; the tests read them. */
const rounds = {
  BOOK_RUNS: 20_000,
  LAUNCHPAD_TRADES: 10_000,
  PAPER_TRADES: 10_000,
  POSITION_RUNS: 400,
  STOP_ROUNDS: 200,
  ORDER_ROUNDS: 1_000,
  PLAN_ROUNDS: 100,
  NODE_AWAY_MS: 20_000,
  STORM_TRADERS: 60,
  EXIT_POSITIONS: 10_000,
  KILL_ROUNDS: 20,
  BUDGET_ORDERS: 200,
  OUTAGE_MS: 20_000,
};
for (const [name, count] of Object.entries(rounds)) process.env[name] ??= String(count);

await prepare();
await ensureBuilt(targets.server, (detail) => console.log(`${targets.server.name}: ${detail}`));
const { failed } = await runSuite([
  {
    name: 'unit',
    work: (shown) =>
      runVitest('unit', shown, ['api/trading/core', 'scripts/local-chain/program/launchpad.test', 'paper-fills']),
  },
  {
    name: 'integration',
    work: (shown) =>
      runVitest('integration', shown, [
        'positions/sums',
        'exits/many-exits',
        'stop/stop-under-load',
        'resilience/orders-crash',
        'resilience/plans-crash',
        'resilience/orders-faults',
        'resilience/trading-kill',
        'resilience/kill.integration',
        'resilience/outage',
        'orders/budget',
      ]),
  },
]);
process.exit(failed === 0 ? 0 : 1);
