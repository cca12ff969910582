import { NetworkError, ParseError, TelegramApiError, TimeoutError } from 'node-telegram-bot-api';
import { pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { problemOf } from './errors.ts';
import { createSupervisor, type SupervisorState } from './supervisor.ts';

const TOKEN = '4242:secret';

test.each([
  [new TelegramApiError(401, 'Unauthorized'), 'final', 'Telegram does not know this bot token (401). Check'],
  [new TelegramApiError(404, 'Not Found'), 'final', 'Telegram does not know this bot token (404). Check'],
  [new TelegramApiError(409, 'Conflict'), 'conflict', 'run only one bot instance'],
  [new TelegramApiError(429, 'Too Many Requests', { retry_after: 5 }), 'passing', 'Telegram asks to wait.'],
  [new TelegramApiError(502, 'Bad Gateway'), 'passing', 'Telegram answered with an error (502).'],
  [new TimeoutError(), 'passing', 'did not answer in time'],
  [new ParseError('x'), 'passing', 'is not Telegram'],
  [new NetworkError(`fetch https://x/bot${TOKEN}/getMe failed`), 'passing', 'Telegram cannot be reached.'],
  [new Error(`https://x/bot${TOKEN}/getMe`), 'passing', 'The bot has failed on our side.'],
])('%s is %s: %s', (error, kind, text) => {
  const problem = problemOf(error);
  expect(problem.kind).toBe(kind);
  expect(problem.text).toContain(text);
  expect(JSON.stringify(problem)).not.toContain('secret');
});

/** A bot whose lives end as told, one after the other; the last one goes on. */
function supervised(ends: (Error | 'connected')[]) {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const lines: string[] = [];
  const states: SupervisorState[] = [];
  let lives = 0;
  const supervisor = createSupervisor({
    async run(signal, connected) {
      lives += 1;
      const end = ends.shift() ?? 'connected';
      if (end !== 'connected') throw end;
      connected();
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    },
    onChange: () => states.push(supervisor.state()),
    timing: { base: 1_000, max: 8_000, conflict: 30_000 },
    clock: { now: Date.now },
    random: () => 1,
    log: pino({ level: 'debug' }, { write: (line: string) => lines.push(line) }),
  });
  return { supervisor, states, lines, lives: () => lives };
}

test('it starts again after longer and longer pauses, and anew after it was well', async () => {
  const bad = () => new NetworkError('x');
  const { supervisor, lives } = supervised([bad(), bad(), bad()]);
  supervisor.start();
  for (const pause of [1_000, 2_000, 4_000]) {
    await vi.advanceTimersByTimeAsync(0);
    expect(supervisor.state()).toMatchObject({ state: 'waiting', retryAt: Date.now() + pause });
    await vi.advanceTimersByTimeAsync(pause);
  }
  expect(supervisor.state()).toEqual({ state: 'connected' });
  expect(lives()).toBe(4);
  await supervisor.stop();
});

test('a token that Telegram does not know is tried once', async () => {
  const { supervisor, lives, lines } = supervised([new TelegramApiError(401, `Unauthorized ${TOKEN}`)]);
  supervisor.start();
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(lives()).toBe(1);
  expect(supervisor.state()).toMatchObject({ state: 'failed' });
  expect(lines.join('')).toContain('does not know this bot token');
  expect(lines.join('')).not.toContain('secret');
});

test('a conflict is tried again slowly, and Telegram is given the time it asks for', async () => {
  const flood = new TelegramApiError(429, 'x', { retry_after: 20 });
  const { supervisor } = supervised([new TelegramApiError(409, 'x'), flood]);
  supervisor.start();
  await vi.advanceTimersByTimeAsync(0);
  expect(supervisor.state()).toMatchObject({ state: 'waiting', retryAt: Date.now() + 30_000 });
  await vi.advanceTimersByTimeAsync(30_000);
  expect(supervisor.state()).toMatchObject({ state: 'waiting', retryAt: Date.now() + 20_000 });
  await supervisor.stop();
});

test.each(['waiting', 'connected'])('it stops at once while %s', async (state) => {
  const { supervisor } = supervised(state === 'waiting' ? [new NetworkError('x')] : []);
  supervisor.start();
  await vi.advanceTimersByTimeAsync(0);
  expect(supervisor.state().state).toBe(state);
  await supervisor.stop();
  expect(supervisor.state()).toEqual({ state: 'stopped' });
});
