#!/usr/bin/env node
/**
 * `npm run scale`: Mintwatch as several processes on this machine, to try it: the embedded MongoDB, the local chain, Redis, two workers
 * and two processes for clients. A process that ends is started again. Plain JavaScript, as `npm start`.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline';
import { root, signalGroup } from '../steps/command.mjs';
import { PREPARATIONS, prepareServer } from '../steps/prepare.mjs';
import { createProgress } from '../steps/progress.mjs';
import { startChain, startMongo } from '../steps/services.mjs';
import { createShutdown } from '../steps/shutdown.mjs';
import { startRedis } from './redis.mjs';

/** Time before a process that ended is started again, ms: one that cannot start must not keep the machine busy. */
const RESTART_MS = 1_000;
const WORKERS = ['worker 1', 'worker 2'];
const FRONTS = ['front 1', 'front 2'];

const print = (/** @type {string} */ line) => console.log(line);
const shutdown = createShutdown({ print });
const { signal, add } = shutdown;

const secret = () => randomBytes(24).toString('hex');

/**
 * Keeps a process of the server running until this command ends. Resolves with its first start, once it serves or stands by.
 * @param {string} name
 * @param {NodeJS.ProcessEnv} env
 */
function keepRunning(name, env) {
  /** @type {import('node:child_process').ChildProcess} */
  let child;
  /** @type {Promise<unknown>} */
  let ended = Promise.resolve();
  /** @type {Promise<void>} */
  const isUp = new Promise((resolve) => {
    const start = () => {
      // A group of its own: the terminal's Ctrl-C would otherwise reach it before the parts that depend on it.
      child = spawn(process.execPath, ['.build/server/api/main.js'], {
        cwd: root,
        env: { ...process.env, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: true,
      });
      for (const stream of [child.stdout, child.stderr]) {
        if (!stream) continue;
        createInterface({ input: stream }).on('line', (line) => {
          print(`      ${name} (pid ${child.pid}): ${line}`);
          if (/^(Mintwatch is at|The worker responds|standing by)/.test(line)) resolve();
        });
      }
      ended = new Promise((end) => child.once('exit', end));
      child.once('exit', (code, by) => {
        if (signal.aborted) return;
        print(`      ${name} ended (${by ?? `exit code ${code}`}) and is started again`);
        setTimeout(() => !signal.aborted && start(), RESTART_MS);
      });
    };
    start();
  });
  add({
    async stop() {
      signalGroup(child, 'SIGTERM');
      await ended;
    },
    force: () => signalGroup(child, 'SIGKILL'),
  });
  return isUp;
}

async function start() {
  const step = createProgress(PREPARATIONS + 4);
  const config = await prepareServer(step, signal);
  const MONGODB_URI = await step('MongoDB', (report) => startMongo(config, { report, print, add }));
  signal.throwIfAborted();
  const REDIS_URL = await step('Redis', (report) => startRedis(config, { report, add }));
  signal.throwIfAborted();
  const chain = await step('Local chain', (report) => startChain(config, { report, print, add }));
  signal.throwIfAborted();
  const shared = {
    MONGODB_URI,
    REDIS_URL,
    CHANNEL_SECRET: process.env.CHANNEL_SECRET?.trim() || secret(),
    SESSION_KEYS: process.env.SESSION_KEYS?.trim() || secret(),
    ...(chain ? { LOCAL_CHAIN: JSON.stringify(chain) } : {}),
  };
  // One after the other: the first worker makes the keys and the administrator, and the second one stands by.
  await step('Processes', async (report) => {
    for (const name of WORKERS) await keepRunning(name, { ...shared, ROLES: 'worker' });
    for (const [index, name] of FRONTS.entries()) {
      const PORT = String(config.port === 0 ? 0 : config.port + index);
      await keepRunning(name, { ...shared, ROLES: 'http,realtime', PORT });
    }
    report(`${WORKERS.length} workers, one of them works; ${FRONTS.length} processes for clients`);
  });
  signal.throwIfAborted();
  print('');
  print('Each process for clients serves the whole of Mintwatch at its address above.');
  print('End the working process (kill -9 and its pid), and the other one takes over within 10 s. Ctrl-C stops all.');
}

shutdown.guard(start());
