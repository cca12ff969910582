import { NetworkError, ParseError, TelegramApiError, TimeoutError } from 'node-telegram-bot-api';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createLog } from '../../platform/log.ts';
import { botErrorOf, createSupervisor, type SupervisorState } from './supervisor.ts';

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

/** Supervises a bot whose runs end as given, in this order; the last one goes on. */
function supervised(ends: (Error | 'connected')[]) {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const lines: string[] = [];
  const states: SupervisorState[] = [];
  let runs = 0;
  const supervisor = createSupervisor({
    async run(signal, connected) {
      runs += 1;
      const end = ends.shift() ?? 'connected';
      if (end !== 'connected') throw end;
      connected();
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    },
    onChange: () => states.push(supervisor.state()),
    timing: { base: 1_000, max: 8_000, conflict: 30_000 },
    clock: { now: Date.now },
    random: () => 1,
    log: createLog('debug', { write: (line: string) => lines.push(line) }),
  });
  return { supervisor, states, lines, runs: () => runs };
}

test('restarts after growing delays, and connects in the end', async () => {
  const bad = () => new NetworkError('x');
  const { supervisor, runs } = supervised([bad(), bad(), bad()]);
  supervisor.start();
  for (const pause of [1_000, 2_000, 4_000]) {
    await vi.advanceTimersByTimeAsync(0);
    expect(supervisor.state()).toMatchObject({ state: 'waiting', retryAt: Date.now() + pause });
    await vi.advanceTimersByTimeAsync(pause);
  }
  expect(supervisor.state()).toEqual({ state: 'connected' });
  expect(runs()).toBe(4);
  await supervisor.stop();
});

test('tries a token that Telegram does not know once', async () => {
  const { supervisor, runs, lines } = supervised([new TelegramApiError(401, `Unauthorized ${TOKEN}`)]);
  supervisor.start();
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(runs()).toBe(1);
  expect(supervisor.state()).toMatchObject({ state: 'failed' });
  expect(lines.join('')).toContain('does not know this bot token');
  expect(lines.join('')).not.toContain('secret');
});

test('retries a conflict slowly, and respects the delay that Telegram requests', async () => {
  const flood = new TelegramApiError(429, 'x', { retry_after: 20 });
  const { supervisor } = supervised([new TelegramApiError(409, 'x'), flood]);
  supervisor.start();
  await vi.advanceTimersByTimeAsync(0);
  expect(supervisor.state()).toMatchObject({ state: 'waiting', retryAt: Date.now() + 30_000 });
  await vi.advanceTimersByTimeAsync(30_000);
  expect(supervisor.state()).toMatchObject({ state: 'waiting', retryAt: Date.now() + 20_000 });
  await supervisor.stop();
});

test.each(['waiting', 'connected'])('stops at once while %s', async (state) => {
  const { supervisor } = supervised(state === 'waiting' ? [new NetworkError('x')] : []);
  supervisor.start();
  await vi.advanceTimersByTimeAsync(0);
  expect(supervisor.state().state).toBe(state);
  await supervisor.stop();
  expect(supervisor.state()).toEqual({ state: 'stopped' });
});
