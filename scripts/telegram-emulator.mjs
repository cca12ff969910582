#!/usr/bin/env node
/**
 * `npm run telegram-emulator`: an emulator of Telegram on 127.0.0.1, to try the bot without it. `7 /start` on a line writes
 * as person 7; messages of the bot are printed with their buttons. `press 7 Cancel`, `block 7` and `unblock 7` do what a
 * person can do. PORT: its port (8081).
 */
import { createInterface } from 'node:readline';
import { ensureBuilt, targets } from './steps/build.mjs';
import { built } from './steps/command.mjs';
import { prepare } from './steps/prepare.mjs';

const DEFAULT_PORT = 8081;

await prepare([['Server', (report) => ensureBuilt(targets.server, report)]]);

/** @type {typeof import('./telegram-emulator/emulator.ts')} */
const { startTelegramEmulator } = await built('scripts/telegram-emulator/emulator.js');
const emulator = await startTelegramEmulator({ port: Number(process.env.PORT ?? DEFAULT_PORT) });

console.log(`
Start Mintwatch in another terminal with
  TELEGRAM_API_ROOT=${emulator.apiRoot} TELEGRAM_BOT_TOKEN=${emulator.token} npm start

Then type here, for example
  7 /start        person 7 writes /start to the bot
  press 7 Cancel  person 7 presses the button Cancel
  block 7         person 7 blocks the bot (unblock 7: unblocks it)
or from elsewhere
  curl ${emulator.apiRoot}/control/messages -d '{"from": 7, "text": "/status"}'
  curl ${emulator.apiRoot}/control/presses -d '{"from": 7, "button": "Cancel"}'
  curl ${emulator.apiRoot}/control/chats/7
`);

emulator.onSent(({ chatId, text, buttons }) => {
  const rows = buttons.map((row) => `\n${row.map((button) => `[ ${button.text} ]`).join(' ')}`);
  console.log(`→ ${chatId}: ${(text + rows.join('')).replaceAll('\n', '\n    ')}`);
});
emulator.onAnswer(({ chatId, text }) => {
  if (text !== null) console.log(`→ ${chatId} sees for a moment: ${text}`);
});

const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => {
  const [, change, blocked] = /^(block|unblock) (\d+)$/.exec(line.trim()) ?? [];
  const [, from, text = ''] = /^(\d+) (.+)$/.exec(line.trim()) ?? [];
  const [, presser, button = ''] = /^press (\d+) (.+)$/.exec(line.trim()) ?? [];
  if (presser !== undefined) press(Number(presser), button);
  else if (blocked !== undefined)
    emulator.setChatFault(Number(blocked), change === 'block' ? { kind: 'blocked' } : null);
  else if (from !== undefined) emulator.write(Number(from), text);
  else if (line.trim() !== '') console.log('Type a number and the text of this person, such as: 7 /help');
});

/** @param {number} person @param {string} button */
function press(person, button) {
  try {
    emulator.press(person, emulator.button(person, button));
  } catch (error) {
    console.log(error instanceof Error ? error.message : String(error));
  }
}

const stop = async () => {
  lines.close();
  await emulator.stop();
};
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void stop());
