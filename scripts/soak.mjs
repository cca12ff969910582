#!/usr/bin/env node
/**
 * `npm run test:soak`: the proofs, with many times the rounds of `npm run test:full` (`TEST_EFFORT`). Names of parts after `--` run
 * these alone: `npm run test:soak -- crashes`. At its end each proof has a JSON line with its size and its losses.
 */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { ensureBuilt, targets } from './steps/build.mjs';
import { root } from './steps/command.mjs';
import { prepare } from './steps/prepare.mjs';
import { runSuite, runVitest, withLog } from './steps/suite.mjs';

const MINUTE = 60_000;

/**
 * Parts by lanes, which run side by side: a day waits for its clock, and kills wait for starts. A part that takes longer than its
 * minutes is ended and counts as failed; the others of its lane follow.
 */
const together = [
  [{ name: 'day', project: 'integration', files: ['resilience/day'], minutes: 75 }],
  [
    {
      name: 'kills',
      project: 'integration',
      files: ['resilience/trading-kill', 'resilience/kill.full'],
      minutes: 90,
    },
    { name: 'feed', project: 'integration', files: ['resilience/feed-kill'], minutes: 90 },
  ],
  [
    { name: 'core', project: 'unit', files: ['api/trading/plans/core'], minutes: 20 },
    { name: 'program', project: 'unit', files: ['scripts/local-chain/program'], minutes: 15 },
    {
      name: 'positions',
      project: 'integration',
      files: ['positions/sums', 'exits/many-exits', 'stop/stop-under-load'],
      minutes: 25,
    },
    {
      name: 'faults',
      project: 'integration',
      files: ['resilience/orders-faults', 'resilience/outage', 'resilience/away', 'resilience/disk-full'],
      minutes: 25,
    },
    {
      name: 'crashes',
      project: 'integration',
      files: ['resilience/orders-crash', 'resilience/plans-crash'],
      minutes: 40,
    },
  ],
];
/** After the others, since each of them takes the whole machine. */
const alone = [
  [
    { name: 'clients', project: 'integration', files: ['resilience/clients'], minutes: 15 },
    { name: 'inputs', project: 'integration', files: ['api/attack', 'gateway/attack'], minutes: 75 },
  ],
];
const parts = [...together, ...alone].flat();

process.env.TEST_EFFORT = 'soak';
const results = path.join(root, '.test-results');
/** The tests add their lines to it. */
const proofs = path.join(results, 'proofs.jsonl');
mkdirSync(results, { recursive: true });
rmSync(proofs, { force: true });
process.env.PROOFS = proofs;
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
/**
 * Runs a part; its output goes to a file, since lanes would mix theirs.
 * @param {(typeof parts)[number]} part
 * @param {AbortSignal | undefined} signal
 */
async function runPart({ name, project, files }, signal) {
  const report = `soak-${name}`;
  const work = (/** @type {number} */ shown) => runVitest(project, { files, report, shown, ...(signal && { signal }) });
  return (await withLog(report, work)).result;
}

console.log(`Output of the parts: ${path.join(results, 'soak-*.log')}`);
/** @param {(typeof parts)[]} lanes */
function runLanes(lanes) {
  return Promise.all(
    lanes
      .map((lane) => lane.filter(({ name }) => wanted.length === 0 || wanted.includes(name)))
      .filter((lane) => lane.length > 0)
      .map((lane) => {
        const steps = lane.map((part) => ({
          name: part.name,
          limitMs: part.minutes * MINUTE,
          work: (/** @type {unknown} */ _, /** @type {AbortSignal | undefined} */ signal) => runPart(part, signal),
        }));
        return runSuite(steps, { signal: stopping.signal });
      }),
  );
}
const counts = [...(await runLanes(together)), ...(await runLanes(alone))];
try {
  console.log(readFileSync(proofs, 'utf8').trimEnd());
} catch {
  // No part that has such a line ran to its end.
}
process.exit(counts.every(({ failed }) => failed === 0) && !stopping.signal.aborted ? 0 : 1);
