#!/usr/bin/env node
/**
 * `npm run rotate-master-key`: wraps the data keys of the wallets with a new master key. Mintwatch has to be stopped
 * first. A killed run is completed by the next one.
 */
import { ensureBuilt, targets } from './steps/build.mjs';
import { built } from './steps/command.mjs';
import { openDataDirectory } from './steps/data-directory.mjs';
import { prepare } from './steps/prepare.mjs';
import { startMongo } from './steps/services.mjs';

const print = (/** @type {string} */ line) => console.log(line);
/** @type {import('./steps/shutdown.mjs').Part[]} */
const parts = [];
const add = (/** @type {import('./steps/shutdown.mjs').Part} */ part) => void parts.push(part);

await prepare([
  ['Server', (report) => ensureBuilt(targets.server, report)],
  [
    'Master key',
    async (report) => {
      /** @type {typeof import('../api/config/config.ts')} */
      const { readConfig } = await built('api/config/config.js');
      const config = readConfig(process.env);
      await openDataDirectory(config);
      // Alone, as a server is: a running one would not have the new key.
      const mongoUri = await startMongo(config, { report: () => {}, print, add });
      try {
        /** @type {typeof import('../api/keys/rotate-directly.ts')} */
        const { rotate } = await built('api/keys/rotate-directly.js');
        await rotate(config, mongoUri, print);
        report('changed');
      } finally {
        for (const part of parts) await part.stop();
      }
    },
  ],
]);
