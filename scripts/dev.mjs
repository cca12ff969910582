#!/usr/bin/env node
/**
 * `npm run dev`: the embedded MongoDB, the server from its TypeScript sources (restarted when one changes) and Vite for
 * the client (which replaces changed modules in the browser). One Ctrl-C ends all three.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { installed } from './steps/command.mjs';
import { ensureDependencies } from './steps/dependencies.mjs';
import { checkNodeVersion } from './steps/node-version.mjs';
import { createProgress } from './steps/progress.mjs';
import { root } from './steps/root.mjs';
import { createShutdown } from './steps/shutdown.mjs';

const CLIENT_URL = 'http://127.0.0.1:5173';
const say = (line) => console.log(line);
const shutdown = createShutdown({ say });

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

async function startMongo(tell) {
  if (process.env.MONGODB_URI?.trim()) {
    tell('the server of MONGODB_URI');
    return process.env.MONGODB_URI;
  }
  const { startEmbeddedMongo } = await import('./embedded-mongo/launcher.mjs');
  const mongo = await startEmbeddedMongo(path.resolve(process.env.DATA_DIR?.trim() || '.data', 'mongo'), { log: say });
  shutdown.add({ stop: () => mongo.stop(), force: () => mongo.kill() });
  tell(`embedded (pid ${mongo.pid()})`);
  return mongo.uri;
}

async function develop() {
  const step = createProgress(5);
  await step('Node.js', async (tell) => tell(checkNodeVersion()));
  await step('Dependencies', (tell) => ensureDependencies(tell, shutdown.signal));
  const mongoUri = await step('MongoDB', startMongo);
  await step('Server, watching', async (tell) => {
    const env = { ...process.env, MONGODB_URI: mongoUri };
    await keepRunning('The server', installed('tsx'), ['watch', '--clear-screen=false', 'api/main.ts'], env);
    tell('started');
  });
  await step('Client, watching', async (tell) => {
    const server = `http://${process.env.HOST?.trim() || '127.0.0.1'}:${process.env.PORT?.trim() || '3000'}`;
    const env = { ...process.env, DEV_SERVER: server };
    await keepRunning('Vite', installed('vite'), ['--config', 'web/vite.config.ts'], env);
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
