#!/usr/bin/env node
/**
 * `npm run admin -- create|promote|reset-password <username>`: for whoever has the machine, while Mintwatch runs or not.
 * Exit codes: 0 done, 1 not done and why, 2 this is no such command.
 */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuilt, targets } from './steps/build.mjs';
import { checkDataDirectory } from './steps/data-directory.mjs';
import { startMongo } from './steps/mongo.mjs';
import { prepare } from './steps/prepare.mjs';
import { root } from './steps/root.mjs';

const USAGE = `Usage: npm run admin -- create <username>           a new user; the password is asked for, or made
       npm run admin -- promote <username>          makes a user an administrator
       npm run admin -- reset-password <username>   a new password; ends the user's sessions
Without a terminal the password is the first line of the input; when that is empty, one is made and shown.`;
const commands = ['create', 'promote', 'reset-password'];
const [command, username, ...more] = process.argv.slice(2);
if (!commands.includes(command) || !username?.trim() || more.length > 0) {
  console.error(USAGE);
  process.exit(2);
}

const say = (line) => console.log(line);
const parts = [];
const built = (file) => import(pathToFileURL(path.join(root, '.build/server', file)).href);

await prepare([['Server', (tell) => ensureBuilt(targets.server, tell)]]);
// Not a step: its sign of life would write over what is asked.
try {
  const { readConfig } = await built('api/config.js');
  const config = readConfig(process.env);
  checkDataDirectory(config.dataDir);
  const on = { tell: () => {}, say, add: (part) => parts.push(part) };
  const mongoUri = await startMongo(config, on, { alone: false });
  const { operate, ownTerminal } = await built('api/admin/operate.js');
  await operate({ command, username }, config, mongoUri, ownTerminal());
} catch (error) {
  console.error(error.name === 'StartError' ? error.message : error);
  process.exitCode = 1;
} finally {
  for (const part of parts) await part.stop();
}
// What came in may not be at its end.
process.exit();
