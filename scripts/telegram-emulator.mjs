#!/usr/bin/env node
/**
 * `npm run telegram-emulator`: an emulator of Telegram on 127.0.0.1, to try the bot without it. `7 /start` on a line writes
 * as person 7; messages of the bot are printed. `block 7` and `unblock 7` do what a person can do. PORT: its port (8081).
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
  block 7         person 7 blocks the bot (unblock 7: unblocks it)
or from elsewhere
  curl ${emulator.apiRoot}/control/messages -d '{"from": 7, "text": "/status"}'
  curl ${emulator.apiRoot}/control/chats/7
`);

emulator.onSent(({ chatId, text }) => console.log(`→ ${chatId}: ${text.replaceAll('\n', '\n    ')}`));

const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => {
  const [, change, blocked] = /^(block|unblock) (\d+)$/.exec(line.trim()) ?? [];
  const [, from, text = ''] = /^(\d+) (.+)$/.exec(line.trim()) ?? [];
  if (blocked !== undefined) emulator.setChatFault(Number(blocked), change === 'block' ? { kind: 'blocked' } : null);
  else if (from !== undefined) emulator.write(Number(from), text);
  else if (line.trim() !== '') console.log('Type a number and the text of this person, such as: 7 /help');
});

const stop = async () => {
  lines.close();
  await emulator.stop();
};
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void stop());
