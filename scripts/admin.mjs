#!/usr/bin/env node
/**
 * `npm run admin -- create|promote|reset-password|reset-second-factor <username>`: for an operator of the machine, while Mintwatch runs or
 * not. Exit codes: 0 done; 1 failed, one line gives the reason; 2 wrong usage.
 */
import { parseArgs } from 'node:util';
import { built } from './steps/command.mjs';
import { runOperatorCommand } from './steps/operator-command.mjs';

const USAGE = `Usage: npm run admin -- create <username>           a new user; the password is asked for, or generated
       npm run admin -- promote <username>          makes a user an administrator
       npm run admin -- reset-password <username>   a new password; ends the user's sessions
       npm run admin -- reset-second-factor <username>   switches two-step login off
Without a terminal the password is the first line of the input; when that is empty, one is generated and shown.`;
const COMMANDS = /** @type {const} */ (['create', 'promote', 'reset-password', 'reset-second-factor']);

/** Returns the order on the command line; null when it is not one. */
function readOrder() {
  try {
    const { positionals } = parseArgs({ allowPositionals: true });
    const [name, username, ...more] = positionals;
    const command = COMMANDS.find((known) => known === name);
    return command && username?.trim() && more.length === 0 ? { command, username } : null;
  } catch {
    return null; // there are no options
  }
}

const order = readOrder();
if (!order) {
  console.error(USAGE);
  process.exit(2);
}

await runOperatorCommand({ alone: false }, async ({ config, mongoUri }) => {
  /** @type {typeof import('../api/admin/operate.ts')} */
  const { operate, ownTerminal } = await built('api/admin/operate.js');
  await operate(order, config, mongoUri, ownTerminal());
});
// Explicitly, since the input may still be open.
process.exit();
