#!/usr/bin/env node
/**
 * `npm run dev`: the embedded MongoDB, the local chain, the server from its TypeScript sources (restarted when one changes) and Vite for
 * the client (which replaces changed modules in the browser). One Ctrl-C ends all of them.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { ensureBuilt, targets } from './steps/build.mjs';
import { startChain } from './steps/chain.mjs';
import { installed } from './steps/command.mjs';
import { ensureDependencies } from './steps/dependencies.mjs';
import { startMongo } from './steps/mongo.mjs';
import { checkNodeVersion } from './steps/node-version.mjs';
import { createProgress } from './steps/progress.mjs';
import { root } from './steps/root.mjs';
import { createShutdown } from './steps/shutdown.mjs';

const CLIENT_URL = 'http://127.0.0.1:5173';
/** As in api/config/config.ts, which is not built here. */
const DEFAULT_CHAIN_PORT = 8899;
const say = (line) => console.log(line);
const shutdown = createShutdown({ say });

/** A variable of the environment; a blank one counts as unset. */
const env = (name) => process.env[name]?.trim() || null;

/** The server says what is wrong with it, since it reads the same variable. */
const chainPort = () => {
  const port = Number(env('LOCAL_CHAIN_PORT') ?? DEFAULT_CHAIN_PORT);
  return Number.isInteger(port) && port >= 0 && port < 65_536 ? port : DEFAULT_CHAIN_PORT;
};

/** A child of ours that is told to end at the end, and whose own end ends everything. */
function keepRunning(name, program, args, env) {
  // A group of its own: the terminal's Ctrl-C would else reach it before we have told the others.
  const child = spawn(program, args, { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'], detached: true });
  const ended = new Promise((resolve) => child.on('close', resolve));
  const signalGroup = (signal) => {
    try {
      process.kill(-child.pid, signal);
    } catch {
      // It has ended already.
    }
  };
  shutdown.add({
    stop: async () => {
      signalGroup('SIGTERM');
      await ended;
    },
    force: () => signalGroup('SIGKILL'),
  });
  child.on('close', (code) => {
    if (shutdown.signal.aborted) return;
    say(`${name} ended by itself (exit code ${code}).`);
    process.kill(process.pid, 'SIGTERM');
  });
  return once(child, 'spawn');
}

async function develop() {
  const step = createProgress(7);
  await step('Node.js', async (tell) => tell(checkNodeVersion()));
  await step('Dependencies', (tell) => ensureDependencies(tell, shutdown.signal));
  await step('User guide', (tell) => ensureBuilt(targets.guide, tell, shutdown.signal));
  const config = { dataDir: path.resolve(env('DATA_DIR') ?? '.data'), mongoUri: env('MONGODB_URI') };
  const mongoUri = await step('MongoDB', (tell) => startMongo(config, { tell, say, add: shutdown.add }));
  const chainConfig = { dataDir: config.dataDir, solanaRpcUrl: env('SOLANA_RPC_URL'), localChainPort: chainPort() };
  const chain = await step('Local chain', (tell) => startChain(chainConfig, { tell, say, add: shutdown.add }));
  await step('Server, watching', async (tell) => {
    const args = ['watch', '--clear-screen=false', 'api/main.ts'];
    const local = chain ? { LOCAL_CHAIN: JSON.stringify(chain) } : {};
    await keepRunning('The server', installed('tsx'), args, { ...process.env, ...local, MONGODB_URI: mongoUri });
    tell('started');
  });
  await step('Client, watching', async (tell) => {
    const server = `http://${env('HOST') ?? '127.0.0.1'}:${env('PORT') ?? '3000'}`;
    const args = ['--config', 'web/vite.config.ts'];
    await keepRunning('Vite', installed('vite'), args, { ...process.env, DEV_SERVER: server });
    tell(`at ${CLIENT_URL}`);
  });
}

const starting = develop();
shutdown.waitFor(starting);
starting.catch(async (error) => {
  if (shutdown.signal.aborted) return;
  console.error(error.name === 'StartError' ? error.message : error);
  await shutdown.stopAll();
  process.exit(1);
});
