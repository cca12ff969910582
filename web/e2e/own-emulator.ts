import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';

const root = path.resolve(import.meta.dirname, '../..');
const sentSchema = z.array(z.object({ text: z.string() }));

/** A process of `npm run telegram-emulator`, for a test whose product has a bot. */
export interface OwnEmulator {
  /** The values of `TELEGRAM_API_ROOT` and `TELEGRAM_BOT_TOKEN`. */
  apiRoot: string;
  token: string;
  write(from: number, username: string, text: string): Promise<void>;
  /** Resolves with the texts that the bot has sent to a chat. */
  textsTo(chat: number): Promise<string[]>;
  stop(): Promise<void>;
}

/** Starts an emulator. `port` 0: any free port. */
export async function startOwnEmulator(port = 0): Promise<OwnEmulator> {
  const stdio = ['pipe', 'pipe', 'inherit'] as const;
  const env = { ...process.env, PORT: String(port) };
  const child = spawn(process.execPath, ['scripts/telegram-emulator.mjs'], { cwd: root, env, stdio: [...stdio] });
  const gone = once(child, 'exit');
  const { stdout } = child;
  if (!stdout) throw new Error('the output is not readable');
  for await (const line of createInterface({ input: stdout })) {
    const [, apiRoot, token] = /TELEGRAM_API_ROOT=(\S+) TELEGRAM_BOT_TOKEN=(\S+)/.exec(line) ?? [];
    if (!apiRoot || !token) continue;
    stdout.resume(); // a full pipe would block the process
    return {
      apiRoot,
      token,
      async write(from, username, text) {
        await fetch(`${apiRoot}/control/messages`, { method: 'POST', body: JSON.stringify({ from, username, text }) });
      },
      async textsTo(chat) {
        const response = await fetch(`${apiRoot}/control/chats/${chat}`);
        return sentSchema.parse(await response.json()).map(({ text }) => text);
      },
      async stop() {
        child.kill('SIGTERM');
        await gone;
      },
    };
  }
  throw new Error('the emulator ended without its URL');
}
