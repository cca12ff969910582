import { NetworkError, ParseError, TelegramApiError, TimeoutError } from 'node-telegram-bot-api';
import { expect, onTestFinished, test, vi } from 'vitest';
import { PublicError } from '../../../common/errors.ts';
import { createLog } from '../../platform/log.ts';
import { type BotDeps, botErrorOf, createBot } from './bot.ts';

const TOKEN = '4242:secret';

test.each([
  [new TelegramApiError(401, 'Unauthorized'), 'final', 'Telegram does not know this bot token (401). Check'],
  [new TelegramApiError(404, 'Not Found'), 'final', 'Telegram does not know this bot token (404). Check'],
  [new TelegramApiError(409, 'Conflict'), 'conflict', 'run only one bot instance'],
  [new TelegramApiError(429, 'Too Many Requests', { retry_after: 5 }), 'transient', 'Telegram asks to wait.'],
  [new TelegramApiError(502, 'Bad Gateway'), 'transient', 'Telegram answered with an error (502).'],
  [new TimeoutError(), 'transient', 'did not answer in time'],
  [new ParseError('x'), 'transient', 'is not Telegram'],
  [new NetworkError(`fetch https://x/bot${TOKEN}/getMe failed`), 'transient', 'Telegram cannot be reached.'],
  [new Error(`https://x/bot${TOKEN}/getMe`), 'transient', 'The bot failed on our side.'],
])('%s is %s: %s', (error, kind, text) => {
  const botError = botErrorOf(error);
  expect(botError.kind).toBe(kind);
  expect(botError.text).toContain(text);
  expect(JSON.stringify(botError)).not.toContain('secret');
});

const info = {
  ...{ id: 1, is_bot: true, username: 'our_bot', first_name: 'Bot' },
  ...{ can_join_groups: false, can_read_all_group_messages: false, supports_inline_queries: false },
};

/** A poll that waits until the bot stops. */
const untilAborted = (signal: AbortSignal | undefined): Promise<never> =>
  new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('aborted'))));

/** A bot whose connections end as given, in this order; the last one goes on. */
function connecting(ends: Error[], given: Partial<BotDeps['api'] & Pick<BotDeps, 'take'>> = {}) {
  const { take = async () => {}, ...api } = given;
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const lines: string[] = [];
  let runs = 0;
  const bot = createBot({
    api: {
      async getMe() {
        runs += 1;
        const error = ends.shift();
        if (error) throw error;
        return info;
      },
      deleteWebhook: async () => true,
      setMyCommands: async () => true,
      getUpdates: (request, signal) => (request?.timeout === 0 ? Promise.resolve([]) : untilAborted(signal)),
      ...api,
    },
    commands: [],
    take,
    onInfo() {},
    onContact() {},
    onChange() {},
    timing: { base: 1_000, max: 8_000, conflict: 30_000 },
    clock: { now: Date.now },
    random: () => 1,
    log: createLog('debug', { write: (line: string) => lines.push(line) }),
  });
  return { bot, lines, runs: () => runs };
}

test('restarts after growing delays, and connects in the end', async () => {
  const bad = () => new NetworkError('x');
  const { bot, runs } = connecting([bad(), bad(), bad()]);
  bot.start();
  for (const pause of [1_000, 2_000, 4_000]) {
    await vi.advanceTimersByTimeAsync(0);
    expect(bot.state()).toMatchObject({ state: 'waiting', retryAt: Date.now() + pause });
    await vi.advanceTimersByTimeAsync(pause);
  }
  expect(bot.state()).toEqual({ state: 'connected' });
  expect(runs()).toBe(4);
  await bot.stop();
});

test('tries a token that Telegram does not know once', async () => {
  const { bot, runs, lines } = connecting([new TelegramApiError(401, `Unauthorized ${TOKEN}`)]);
  bot.start();
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(runs()).toBe(1);
  expect(bot.state()).toMatchObject({ state: 'failed' });
  expect(lines.join('')).toContain('does not know this bot token');
  expect(lines.join('')).not.toContain('secret');
});

test('retries a conflict slowly, and respects the delay that Telegram requests', async () => {
  const flood = new TelegramApiError(429, 'x', { retry_after: 20 });
  const { bot } = connecting([new TelegramApiError(409, 'x'), flood]);
  bot.start();
  await vi.advanceTimersByTimeAsync(0);
  expect(bot.state()).toMatchObject({ state: 'waiting', retryAt: Date.now() + 30_000 });
  await vi.advanceTimersByTimeAsync(30_000);
  expect(bot.state()).toMatchObject({ state: 'waiting', retryAt: Date.now() + 20_000 });
  await bot.stop();
});

test.each(['waiting', 'connected'])('stops at once while %s', async (state) => {
  const { bot } = connecting(state === 'waiting' ? [new NetworkError('x')] : []);
  bot.start();
  await vi.advanceTimersByTimeAsync(0);
  expect(bot.state().state).toBe(state);
  await bot.stop();
  expect(bot.state()).toEqual({ state: 'stopped' });
});

test('a batch comes again until each of its updates is taken in, and none is taken in twice', async () => {
  const taken: [number, boolean][] = [];
  let isAway = true;
  const offsets: (number | undefined)[] = [];
  const { bot } = connecting([], {
    getUpdates: (request, signal) => {
      offsets.push(request?.offset);
      if (request?.offset === undefined) return Promise.resolve([{ update_id: 1 }, { update_id: 2 }]);
      return untilAborted(signal);
    },
    async take(update, _info, isRepeated) {
      taken.push([update.update_id, isRepeated]);
      if (update.update_id === 1 && isAway) throw new PublicError('unavailable');
    },
  });
  bot.start();
  await vi.advanceTimersByTimeAsync(0);
  expect(bot.state()).toMatchObject({ state: 'waiting', error: { text: 'The database is not reachable.' } });
  isAway = false;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(bot.state()).toEqual({ state: 'connected' });
  expect(taken).toEqual([
    [1, false],
    [2, false],
    [1, true],
  ]);
  expect(offsets).toEqual([undefined, undefined, 3]);
  await bot.stop();
});
