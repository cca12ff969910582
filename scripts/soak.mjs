#!/usr/bin/env node
/**
 * `npm run test:soak`: the proofs of trading with ten times the rounds of `npm run test:full` (`TEST_EFFORT`). Names of parts
 * after `--` run these alone: `npm run test:soak -- crashes`.
 */
import { ensureBuilt, targets } from './steps/build.mjs';
import { prepare } from './steps/prepare.mjs';
import { runSuite, runVitest } from './steps/suite.mjs';

const MINUTE = 60_000;

/** Parts in their order. One that takes longer than its minutes is ended and counts as failed; the others follow. */
const parts = [
  { name: 'core', project: 'unit', files: ['api/trading/plans/core'], minutes: 15 },
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
    files: ['resilience/trading-kill', 'resilience/kill.full'],
    minutes: 60,
  },
];

process.env.TEST_EFFORT = 'soak';
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
