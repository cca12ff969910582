#!/usr/bin/env node
/**
 * `npm run test:soak`: the proofs of trading with many more rounds than in `npm test`, about half an hour on two cores. A count in
 * the environment replaces the one below, such as `KILL_ROUNDS=2 npm run test:soak`; names of parts after `--` run these alone.
 */
import { ensureBuilt, targets } from './steps/build.mjs';
import { prepare } from './steps/prepare.mjs';
import { runSuite, runVitest } from './steps/suite.mjs';

const MINUTE = 60_000;

/** Rounds by variable; the tests read them. */
const rounds = {
  BOOK_RUNS: 20_000,
  CORE_RUNS: 3_000,
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
  OUTAGE_MS: 20_000,
};

/** Parts in their order. One that takes longer than its minutes is ended and counts as failed; the others follow. */
const parts = [
  { name: 'core', project: 'unit', files: ['api/trading/core'], minutes: 15 },
  { name: 'program', project: 'unit', files: ['scripts/local-chain/program'], minutes: 15 },
  {
    name: 'positions',
    project: 'integration',
    files: ['positions/sums', 'exits/many-exits', 'stop/stop-under-load'],
    minutes: 20,
  },
  { name: 'faults', project: 'integration', files: ['resilience/orders-faults', 'resilience/outage'], minutes: 15 },
  {
    name: 'crashes',
    project: 'integration',
    files: ['resilience/orders-crash', 'resilience/plans-crash'],
    minutes: 40,
  },
  {
    name: 'kills',
    project: 'integration',
    files: ['resilience/trading-kill', 'resilience/kill.integration'],
    minutes: 40,
  },
];

for (const [name, count] of Object.entries(rounds)) process.env[name] ??= String(count);
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => parts.every((part) => part.name !== name));
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(', ')}. Parts: ${parts.map(({ name }) => name).join(', ')}`);
  process.exit(2);
}

// Parts run in process groups of their own, which the terminal does not interrupt.
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stopping.abort());

await prepare();
await ensureBuilt(targets.server, (detail) => console.log(`${targets.server.name}: ${detail}`));
console.log(
  Object.keys(rounds)
    .map((name) => `${name}=${process.env[name]}`)
    .join(' '),
);
const { failed } = await runSuite(
  parts
    .filter(({ name }) => wanted.length === 0 || wanted.includes(name))
    .map(({ name, project, files, minutes }) => ({
      name,
      limitMs: minutes * MINUTE,
      work: (/** @type {import('./steps/suite.mjs').Shown} */ shown, /** @type {AbortSignal | undefined} */ signal) =>
        runVitest(project, { shown, files, ...(signal && { signal }) }),
    })),
  { signal: stopping.signal },
);
process.exit(failed === 0 && !stopping.signal.aborted ? 0 : 1);
