#!/usr/bin/env node
/**
 * `npm run dev`: the embedded MongoDB, the local chain, the server from its TypeScript sources (restarted when one
 * changes) and Vite for the client (which replaces changed modules in the browser). One Ctrl-C ends all of them.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { ensureBuilt, targets } from './steps/build.mjs';
import { installed, root, signalGroup } from './steps/command.mjs';
import { openDataDirectory } from './steps/data-directory.mjs';
import { ensureDependencies } from './steps/dependencies.mjs';
import { checkNodeVersion } from './steps/node-version.mjs';
import { createProgress } from './steps/progress.mjs';
import { startChain, startMongo } from './steps/services.mjs';
import { createShutdown } from './steps/shutdown.mjs';

const CLIENT_URL = 'http://127.0.0.1:5173';
/** As in api/config/config.ts, which is not built here. */
const DEFAULT_CHAIN_PORT = 8899;
const print = (/** @type {string} */ line) => console.log(line);
const shutdown = createShutdown({ print });
const { add } = shutdown;

/**
 * Returns a variable of the environment; null when it is blank.
 * @param {string} name
 */
const env = (name) => process.env[name]?.trim() || null;

/** Returns the default for an invalid port: the server reads the same variable and reports the error. */
const chainPort = () => {
  const port = Number(env('LOCAL_CHAIN_PORT') ?? DEFAULT_CHAIN_PORT);
  return Number.isInteger(port) && port >= 0 && port < 65_536 ? port : DEFAULT_CHAIN_PORT;
};

/**
 * Imports a module from its source, so that a type error elsewhere does not stop development. The caller names its type.
 * @param {string} file relative to this one
 */
const fromSource = async (file) => (await import('tsx/esm/api')).tsImport(file, import.meta.url);
const chainFromSource = () => fromSource('./local-chain/launcher.ts');
const emulatorFromSource = () => fromSource('./jupiter-emulator/emulator.ts');

/**
 * Runs a program until this command ends. When the program ends by itself, this command ends as well.
 * @param {string} name
 * @param {string} program
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} childEnv
 */
function keepRunning(name, program, args, childEnv) {
  // A group of its own: otherwise the terminal's Ctrl-C would reach it before the parts that depend on it.
  const child = spawn(program, args, {
    cwd: root,
    env: childEnv,
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: true,
  });
  const ended = new Promise((resolve) => child.on('close', resolve));
  add({
    stop: async () => {
      signalGroup(child, 'SIGTERM');
      await ended;
    },
    force: () => signalGroup(child, 'SIGKILL'),
  });
  child.on('close', (code) => {
    if (shutdown.signal.aborted) return;
    print(`${name} ended unexpectedly (exit code ${code}).`);
    process.kill(process.pid, 'SIGTERM');
  });
  return once(child, 'spawn');
}

async function develop() {
  const step = createProgress(7);
  await step('Node.js', async (report) => report(checkNodeVersion()));
  await step('Dependencies', (report) => ensureDependencies(report, shutdown.signal));
  await step('User guide', (report) => ensureBuilt(targets.guide, report, shutdown.signal));
  const config = {
    dataDir: path.resolve(env('DATA_DIR') ?? '.data'),
    mongoUri: env('MONGODB_URI'),
    solanaRpcUrl: env('SOLANA_RPC_URL'),
    localChainPort: chainPort(),
  };
  await openDataDirectory(config, () => fromSource('../api/platform/data-format.ts'));
  const mongoUri = await step('MongoDB', (report) =>
    startMongo(config, { report, print, add }, { load: () => fromSource('./embedded-mongo/launcher.ts') }),
  );
  const chain = await step('Local chain', (report) =>
    startChain(config, { report, print, add }, chainFromSource, emulatorFromSource),
  );
  await step('Server, watching', async (report) => {
    const args = ['watch', '--clear-screen=false', 'api/main.ts'];
    const local = chain ? { LOCAL_CHAIN: JSON.stringify(chain) } : {};
    await keepRunning('The server', installed('tsx'), args, { ...process.env, ...local, MONGODB_URI: mongoUri });
    report('started');
  });
  await step('Client, watching', async (report) => {
    const server = `http://${env('HOST') ?? '127.0.0.1'}:${env('PORT') ?? '3000'}`;
    const args = ['--config', 'web/vite.config.ts'];
    await keepRunning('Vite', installed('vite'), args, { ...process.env, DEV_SERVER: server });
    report(`at ${CLIENT_URL}`);
  });
}

shutdown.guard(develop());
