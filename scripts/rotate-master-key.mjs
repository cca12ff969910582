#!/usr/bin/env node
/** `npm run rotate-master-key`: a new key for what protects the wallets' keys. Stop Mintwatch before; it may be killed and run again. */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuilt, targets } from './steps/build.mjs';
import { checkDataDirectory } from './steps/data-directory.mjs';
import { startMongo } from './steps/mongo.mjs';
import { prepare } from './steps/prepare.mjs';
import { root } from './steps/root.mjs';

const say = (line) => console.log(line);
const parts = [];
const built = (file) => import(pathToFileURL(path.join(root, '.build/server', file)).href);

await prepare([
  ['Server', (tell) => ensureBuilt(targets.server, tell)],
  [
    'Master key',
    async (tell) => {
      const { readConfig } = await built('api/config.js');
      const config = readConfig(process.env);
      checkDataDirectory(config.dataDir);
      // Alone, as a server is: one that runs would not know the new key.
      const mongoUri = await startMongo(config, { tell: () => {}, say, add: (part) => parts.push(part) });
      try {
        const { rotate } = await built('api/keys/rotate-directly.js');
        await rotate(config, mongoUri, say);
        tell('changed');
      } finally {
        for (const part of parts) await part.stop();
      }
    },
  ],
]);
