#!/usr/bin/env node
/**
 * `npm start`: from a fresh clone to a running Mintwatch. Plain JavaScript that uses only Node.js, since it runs before
 * node_modules exists.
 */
import path from 'node:path';
import { built, root } from './steps/command.mjs';
import { PREPARATIONS, prepareServer } from './steps/prepare.mjs';
import { createProgress } from './steps/progress.mjs';
import { startChain, startMongo } from './steps/services.mjs';
import { createShutdown } from './steps/shutdown.mjs';

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
  const step = createProgress(PREPARATIONS + 3);
  const config = await prepareServer(step, signal);
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

// The database's reason once more, as the last line: the failure that follows from it says less.
shutdown.guard(start(), () => diagnosis);
