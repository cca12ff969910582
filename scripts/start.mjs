#!/usr/bin/env node
/**
 * `npm start`: from a fresh clone to a running Mintwatch. Plain JavaScript with nothing but Node.js, since it runs
 * before node_modules exists.
 */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuilt, targets } from './steps/build.mjs';
import { startChain } from './steps/chain.mjs';
import { checkDataDirectory } from './steps/data-directory.mjs';
import { ensureDependencies } from './steps/dependencies.mjs';
import { startMongo } from './steps/mongo.mjs';
import { checkNodeVersion } from './steps/node-version.mjs';
import { createProgress } from './steps/progress.mjs';
import { root } from './steps/root.mjs';
import { createShutdown } from './steps/shutdown.mjs';

const say = (line) => console.log(line);
const shutdown = createShutdown({ say });
const { signal } = shutdown;

const built = (file) => import(pathToFileURL(path.join(root, '.build/server', file)).href);

async function start() {
  const step = createProgress(8);
  await step('Node.js', async (tell) => tell(checkNodeVersion()));
  await step('Dependencies', (tell) => ensureDependencies(tell, signal));
  await step('Server', (tell) => ensureBuilt(targets.server, tell, signal));
  await step('Client', (tell) => ensureBuilt(targets.client, tell, signal));
  await step('User guide', (tell) => ensureBuilt(targets.guide, tell, signal));
  const { readConfig } = await built('api/config.js');
  const config = readConfig(process.env);
  checkDataDirectory(config.dataDir);
  signal.throwIfAborted();
  const mongoUri = await step('MongoDB', (tell) => startMongo(config, { tell, say, add: shutdown.add }));
  signal.throwIfAborted();
  const chain = await step('Local chain', (tell) => startChain(config, { tell, say, add: shutdown.add }));
  signal.throwIfAborted();
  const app = await step('Mintwatch', async (tell) => {
    const { main } = await built('api/main.js');
    const announce = (line) => say(`      ${line}`);
    const webRoot = path.join(root, '.build/web');
    const running = await main({ env: process.env, mongoUri, webRoot, announce, chain });
    shutdown.add({ stop: () => running.stop() });
    tell('running');
    return running;
  });
  signal.throwIfAborted();
  say('');
  say(`Mintwatch is at ${app.url}`);
  say('Ctrl-C stops it.');
}

const starting = start();
shutdown.waitFor(starting);
starting.catch(async (error) => {
  if (signal.aborted) return; // the signal's handler is stopping everything
  console.error(error.name === 'StartError' ? error.message : error);
  await shutdown.stopAll();
  process.exit(1);
});
