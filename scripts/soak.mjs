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
  {
    name: 'faults',
    project: 'integration',
    files: ['resilience/orders-faults', 'resilience/outage', 'resilience/away', 'resilience/disk-full'],
    minutes: 20,
  },
  { name: 'clients', project: 'integration', files: ['resilience/clients'], minutes: 10 },
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
    minutes: 75,
  },
  {
    name: 'inputs',
    project: 'integration',
    files: ['api/attack', 'gateway/attack'],
    minutes: 75,
  },
  { name: 'feed', project: 'integration', files: ['resilience/feed-kill'], minutes: 75 },
  { name: 'day', project: 'integration', files: ['resilience/day'], minutes: 70 },
];

process.env.TEST_EFFORT = 'soak';
/** The tests add their lines to it. */
const proofs = path.join(root, '.test-results/proofs.jsonl');
mkdirSync(path.dirname(proofs), { recursive: true });
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
try {
  console.log(readFileSync(proofs, 'utf8').trimEnd());
} catch {
  // No part that has such a line ran to its end.
}
process.exit(failed === 0 && !stopping.signal.aborted ? 0 : 1);
