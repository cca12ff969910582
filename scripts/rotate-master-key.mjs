#!/usr/bin/env node
/**
 * `npm run rotate-master-key`: wraps the data keys of the wallets with a new master key. Mintwatch has to be stopped
 * first. A killed run is completed by the next one.
 */
import { built } from './steps/command.mjs';
import { runOperatorCommand } from './steps/operator-command.mjs';

// Alone, as a server is: a running one would not have the new key.
await runOperatorCommand({ alone: true }, async ({ config, mongoUri, print }) => {
  /** @type {typeof import('../api/keys/rotate-directly.ts')} */
  const { rotate } = await built('api/keys/rotate-directly.js');
  await rotate(config, mongoUri, print);
});
