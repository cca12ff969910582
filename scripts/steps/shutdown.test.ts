import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createShutdown } from './shutdown.mjs';
import { StartError } from './start-error.mjs';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const before = new Map(signals.map((signal) => [signal, process.listeners(signal)]));

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  for (const signal of signals) {
    for (const listener of process.listeners(signal)) {
      if (!before.get(signal)?.includes(listener)) process.off(signal, listener);
    }
  }
});

function setUp() {
  const lines: string[] = [];
  const codes: number[] = [];
  const shutdown = createShutdown({
    print: (line) => void lines.push(line),
    exit: (code) => void codes.push(code),
    deadlineMs: 4000,
    partDeadlineMs: 3000,
  });
  return { lines, codes, shutdown };
}

test('stops the parts in reverse order on a signal and exits with 0', async () => {
  const { codes, shutdown } = setUp();
  const order: string[] = [];
  for (const name of ['mongo', 'app']) shutdown.add({ stop: async () => order.push(name) });
  process.emit('SIGTERM');
  expect(shutdown.signal.aborted).toBe(true);
  await vi.waitFor(() => expect(codes).toEqual([0]));
  expect(order).toEqual(['app', 'mongo']);
});

test('stops the parts after the work that the signal interrupts', async () => {
  const { codes, shutdown } = setUp();
  const order: string[] = [];
  shutdown.add({ stop: async () => order.push('mongo') });
  shutdown.waitFor(
    new Promise((_, reject) => {
      shutdown.signal.addEventListener('abort', () => {
        order.push('start');
        reject(new Error('interrupted'));
      });
    }),
  );
  process.emit('SIGTERM');
  await vi.waitFor(() => expect(codes).toEqual([0]));
  expect(order).toEqual(['start', 'mongo']);
});

test('stops the other parts when one fails', async () => {
  const { lines, codes, shutdown } = setUp();
  const stopped = vi.fn(async () => {});
  shutdown.add({ stop: stopped });
  shutdown.add({ stop: () => Promise.reject(new Error('no response')) });
  process.emit('SIGINT');
  await vi.waitFor(() => expect(codes).toEqual([0]));
  expect(stopped).toHaveBeenCalledOnce();
  expect(lines).toContain('While stopping: no response');
});

test('stops the next part in time when one hangs', async () => {
  const { codes, shutdown } = setUp();
  const stopped = vi.fn(async () => {});
  shutdown.add({ stop: stopped });
  shutdown.add({ stop: () => new Promise(() => {}) });
  process.emit('SIGTERM');
  await vi.advanceTimersByTimeAsync(3000);
  expect(stopped).toHaveBeenCalledOnce();
  expect(codes[0]).toBe(0);
});

test('ends everything by force after the deadline, with exit code 1', async () => {
  const { codes, shutdown } = setUp();
  const force = vi.fn();
  const hang = () => new Promise<void>(() => {});
  shutdown.add({ stop: hang, force });
  shutdown.add({ stop: hang });
  process.emit('SIGTERM');
  await vi.advanceTimersByTimeAsync(4000);
  expect(force).toHaveBeenCalledOnce();
  expect(codes[0]).toBe(1);
});

test('treats two signals of one Ctrl-C, as through npm, as one, and a later one as force', async () => {
  const { codes, shutdown } = setUp();
  shutdown.add({ stop: () => new Promise(() => {}) });
  process.emit('SIGINT');
  process.emit('SIGINT');
  expect(codes).toEqual([]);
  await vi.advanceTimersByTimeAsync(1000);
  process.emit('SIGINT');
  expect(codes).toEqual([1]);
});

test('a guarded start that fails is printed, stops the parts, and exits with 1 after its last word', async () => {
  const { codes, shutdown } = setUp();
  const printed: string[] = [];
  const error = vi.spyOn(console, 'error').mockImplementation((line: string) => void printed.push(line));
  onTestFinished(() => error.mockRestore());
  shutdown.add({ stop: async () => printed.push('stopped') });
  shutdown.guard(Promise.reject(new StartError('no room')), () => 'the disk is full');
  await vi.waitFor(() => expect(codes).toEqual([1]));
  expect(printed).toEqual(['no room', 'stopped', 'the disk is full']);
});

test('a guarded start that a signal interrupts leaves the stop to the signal', async () => {
  const { codes, shutdown } = setUp();
  const error = vi.spyOn(console, 'error').mockImplementation(() => {});
  onTestFinished(() => error.mockRestore());
  shutdown.guard(
    new Promise((_, reject) => {
      shutdown.signal.addEventListener('abort', () => reject(shutdown.signal.reason));
    }),
  );
  process.emit('SIGTERM');
  await vi.waitFor(() => expect(codes).toEqual([0]));
  expect(error).not.toHaveBeenCalled();
});
