#!/usr/bin/env node
/**
 * `npm run telegram-emulator`: a stand-in for Telegram on 127.0.0.1, to try the bot without it. Type `7 /start` to write as
 * person 7; what the bot says is printed. `block 7` and `unblock 7` do what a person can do. PORT: where (8081).
 */
import path from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { ensureBuilt, targets } from './steps/build.mjs';
import { prepare } from './steps/prepare.mjs';
import { root } from './steps/root.mjs';

const DEFAULT_PORT = 8081;

await prepare([['Server', (tell) => ensureBuilt(targets.server, tell)]]);

const file = path.join(root, '.build/server/api/telegram/testing/emulator.js');
const { startTelegramEmulator } = await import(pathToFileURL(file).href);
const emulator = await startTelegramEmulator({ port: Number(process.env.PORT ?? DEFAULT_PORT) });

console.log(`
Start Mintwatch in another terminal with
  TELEGRAM_API_ROOT=${emulator.apiRoot} TELEGRAM_BOT_TOKEN=${emulator.token} npm start

Then type here, for example
  7 /start        person 7 writes /start to the bot
  block 7         person 7 blocks the bot (unblock 7: lets it in again)
or from elsewhere
  curl ${emulator.apiRoot}/control/say -d '{"from": 7, "text": "/status"}'
  curl ${emulator.apiRoot}/control/chats/7
`);

emulator.onSent(({ chatId, text }) => console.log(`→ ${chatId}: ${text.replaceAll('\n', '\n    ')}`));

const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => {
  const [, change, blocked] = /^(block|unblock) (\d+)$/.exec(line.trim()) ?? [];
  const [, from, text] = /^(\d+) (.+)$/.exec(line.trim()) ?? [];
  if (blocked !== undefined) emulator.faultOf(Number(blocked), change === 'block' ? { kind: 'blocked' } : null);
  else if (from !== undefined) emulator.say(Number(from), text);
  else if (line.trim() !== '') console.log('Type a number and what this person writes, such as: 7 /help');
});

async function stop() {
  lines.close();
  await emulator.stop();
}
process.once('SIGINT', stop);
process.once('SIGTERM', stop);
