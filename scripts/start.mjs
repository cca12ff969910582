#!/usr/bin/env node
/**
 * `npm start`: from a fresh clone to a running Mintwatch. Plain JavaScript that uses only Node.js, since it runs before
 * node_modules exists.
 */
import path from 'node:path';
import { ensureBuilt, targets } from './steps/build.mjs';
import { built, root } from './steps/command.mjs';
import { openDataDirectory } from './steps/data-directory.mjs';
import { ensureDependencies } from './steps/dependencies.mjs';
import { checkNodeVersion } from './steps/node-version.mjs';
import { createProgress } from './steps/progress.mjs';
import { startChain, startMongo } from './steps/services.mjs';
import { createShutdown } from './steps/shutdown.mjs';
import { printable } from './steps/start-error.mjs';

const print = (/** @type {string} */ line) => console.log(line);
const shutdown = createShutdown({ print });
const { signal, add } = shutdown;

/** How often the start looks whether its npm is still there, ms. */
const NPM_CHECK_MS = 500;
// npm forwards no SIGTERM: a supervisor that stops npm would leave the server running.
if (process.env.npm_lifecycle_event === 'start') {
  const npm = process.ppid;
  const checking = setInterval(() => {
    if (process.ppid === npm) return;
    clearInterval(checking);
    // A second signal would end the parts by force.
    if (!signal.aborted) process.kill(process.pid, 'SIGTERM');
  }, NPM_CHECK_MS);
  checking.unref();
}

/** Why the database gave up after its start; empty before. */
let diagnosis = '';
const onDiagnosis = (/** @type {string} */ line) => {
  diagnosis = line;
};

/** @returns {Promise<typeof import('../api/main.ts')>} */
const builtServer = () => built('api/main.js');

async function start() {
  const step = createProgress(8);
  await step('Node.js', async (report) => report(checkNodeVersion()));
  await step('Dependencies', (report) => ensureDependencies(report, signal));
  await step('Server', (report) => ensureBuilt(targets.server, report, signal));
  await step('Client', (report) => ensureBuilt(targets.client, report, signal));
  await step('User guide', (report) => ensureBuilt(targets.guide, report, signal));
  /** @type {typeof import('../api/config/config.ts')} */
  const { readConfig } = await built('api/config/config.js');
  const config = readConfig(process.env);
  await openDataDirectory(config);
  signal.throwIfAborted();
  const mongoUri = await step('MongoDB', (report) => startMongo(config, { report, print, add }, { onDiagnosis }));
  signal.throwIfAborted();
  // The chain starts in a process of its own, and takes as long as the server's code takes to load.
  const [chain, { main }] = await Promise.all([
    step('Local chain', (report) => startChain(config, { report, print, add })),
    builtServer(),
  ]);
  signal.throwIfAborted();
  const app = await step('Mintwatch', async (report) => {
    const announce = (/** @type {string} */ line) => print(`      ${line}`);
    const webRoot = path.join(root, '.build/web');
    // One embedded database at a time runs in a data directory.
    const isAlone = config.mongoUri === null;
    const running = await main({ env: process.env, mongoUri, webRoot, announce, chain, isAlone });
    add({ stop: () => running.stop() });
    void running.ended.then((reason) => {
      console.error(reason);
      void shutdown.stopAll().then(() => process.exit(1));
    });
    report('running');
    return running;
  });
  signal.throwIfAborted();
  print('');
  print(`Mintwatch is at ${app.url}`);
  print('Ctrl-C stops it.');
}

const starting = start();
shutdown.waitFor(starting);
starting.catch(async (error) => {
  if (signal.aborted) return; // the signal's handler stops the parts
  console.error(printable(error));
  await shutdown.stopAll();
  // Once more, as the last line: the failure that follows from it says less.
  if (diagnosis !== '') console.error(diagnosis);
  process.exit(1);
});
