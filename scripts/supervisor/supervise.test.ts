import { expect, test, vi } from 'vitest';
import { type Running, supervise } from './supervise.ts';

const WAIT = { timeout: 15_000, interval: 10 };

/** Creates a service whose processes end on request, with pids from 1,000,001, which no process has. */
function fakeService() {
  const ends: (() => void)[] = [];
  const lines: string[] = [];
  const failures: Error[] = [];
  const attach = async (): Promise<Running> => {
    const failure = failures.shift();
    if (failure) throw failure;
    const pid = 1_000_001 + ends.length;
    const ended = new Promise<void>((resolve) => ends.push(resolve));
    return { pid, ended, requestStop: () => ends.at(-1)?.() };
  };
  const start = () =>
    supervise({ name: 'The service', attach, stopTimeoutMs: 1_000, log: (line) => void lines.push(line) });
  return { start, ends, lines, failures };
}

test('restarts a process that ends, and logs both', async () => {
  const { start, ends, lines } = fakeService();
  const supervisor = await start();
  expect(supervisor.pid()).toBe(1_000_001);
  ends[0]?.();
  await vi.waitFor(() => expect(supervisor.pid()).toBe(1_000_002), WAIT);
  expect(lines).toEqual(['The service ended unexpectedly; restarting it.', 'The service is up again (pid 1000002).']);
  await supervisor.stop();
});

test('retries a failed restart until it succeeds', async () => {
  const { start, ends, lines, failures } = fakeService();
  const supervisor = await start();
  failures.push(new Error('the disk is full'), new Error('the disk is full'));
  ends[0]?.();
  await vi.waitFor(() => expect(lines.at(-1)).toBe('The service is up again (pid 1000002).'), WAIT);
  expect(lines.filter((line) => line === 'the disk is full')).toHaveLength(2);
  await supervisor.stop();
});

test('fails when the first start fails', async () => {
  const { start, failures } = fakeService();
  failures.push(new Error('no build'));
  await expect(start()).rejects.toThrow('no build');
});

test('a stopped service stays down, also when it is stopped during a restart', async () => {
  const { start, ends, lines } = fakeService();
  const supervisor = await start();
  await supervisor.stop();
  expect(supervisor.pid()).toBeNull();
  expect(lines).toEqual([]);

  const other = await start();
  ends.at(-1)?.();
  await vi.waitFor(() => expect(other.pid()).toBeNull(), WAIT);
  await other.stop();
  expect([other.pid(), ends.length]).toEqual([null, 2]);
});
