import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  backoff,
  createCircuit,
  createTimeLimit,
  parseRetryAfter,
  pause,
  retry,
  withRetryAfter,
  withTimeout,
} from './resilience.ts';

const growth = { base: 100, max: 1_000, random: () => 1 };

describe('retry', () => {
  function failing(times: number) {
    let calls = 0;
    const work = async () => {
      calls += 1;
      if (calls <= times) throw new Error(`failure ${calls}`);
      return calls;
    };
    return { work, calls: () => calls };
  }

  test('repeats with growing delays until the work succeeds', async () => {
    const waits: number[] = [];
    const wait = async (ms: number) => void waits.push(ms);
    await expect(retry({ ...growth, retries: 5, wait }, failing(5).work)).resolves.toBe(6);
    expect(waits).toEqual([100, 200, 400, 800, 1_000]);
  });

  test('gives up with the last error after the last retry', async () => {
    const { work, calls } = failing(10);
    await expect(retry({ ...growth, retries: 2, wait: async () => {} }, work)).rejects.toThrow('failure 3');
    expect(calls()).toBe(3);
  });

  test('lets the policy give up early and choose the delay by the error', async () => {
    const waits: number[] = [];
    const policy = {
      ...growth,
      retries: Number.POSITIVE_INFINITY,
      wait: async (ms: number) => void waits.push(ms),
      delay: (_error: unknown, backoffMs: number, attempt: number) => (attempt < 3 ? backoffMs + attempt : null),
    };
    await expect(retry(policy, failing(10).work)).rejects.toThrow('failure 3');
    expect(waits).toEqual([101, 202]);
  });

  test('ends during the delay when the signal aborts', async () => {
    const stopping = new AbortController();
    const { work, calls } = failing(10);
    const result = retry({ base: 60_000, max: 60_000, random: () => 1, retries: 3 }, work, stopping.signal);
    stopping.abort();
    await expect(result).rejects.toThrow('failure 1');
    expect(calls()).toBe(1);
  });
});

test('backoff keeps half of the delay and randomizes the other half', () => {
  expect(backoff(1, { ...growth, random: () => 0 })).toBe(100);
  expect(backoff(1, growth)).toBe(200);
});

test.each([
  ['a shorter request', 100, 50, 100],
  ['a longer request', 100, 500, 525],
  ['no request', 100, null, 100],
  ['a request of 0', 100, 0, 100],
])('withRetryAfter with %s', (_case, own, requested, expected) => {
  expect(withRetryAfter(own, requested)).toBe(expected);
});

test.each([
  ['3', 3_000],
  ['-5', 0],
  ['Thu, 01 Jan 1970 00:00:09 GMT', 4_000],
  ['Thu, 01 Jan 1970 00:00:01 GMT', 0],
  ['soon', null],
  [' ', null],
  [null, null],
])('parseRetryAfter reads %j', (header, expected) => {
  expect(parseRetryAfter(header, 5_000)).toBe(expected);
});

describe('a time limit', () => {
  const aborted = (signal: AbortSignal) =>
    new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

  test('aborts its signal after the time', async () => {
    const { signal } = createTimeLimit(5);
    await aborted(signal);
    expect(signal.reason).toMatchObject({ name: 'TimeoutError' });
  });

  test('aborts with its parent, at once if that has aborted', () => {
    const parent = new AbortController();
    const { signal, clear } = createTimeLimit(60_000, parent.signal);
    parent.abort('stopped');
    expect(signal.reason).toBe('stopped');
    expect(createTimeLimit(60_000, parent.signal).signal.aborted).toBe(true);
    clear();
  });

  test('never aborts once it is cleared', async () => {
    const parent = new AbortController();
    const { signal, clear } = createTimeLimit(1, parent.signal);
    clear();
    parent.abort();
    await pause(5);
    expect(signal.aborted).toBe(false);
  });

  test('fires although the garbage collector runs before, as AbortSignal.any with a timeout does not', async () => {
    setFlagsFromString('--expose-gc');
    const collect: () => void = runInNewContext('gc');
    const parent = new AbortController();
    const fired = Promise.all(Array.from({ length: 50 }, () => aborted(createTimeLimit(40, parent.signal).signal)));
    const collecting = setInterval(collect, 5);
    await fired;
    clearInterval(collecting);
  });
});

describe('withTimeout and pause', () => {
  test('withTimeout resolves with the value in time, else with null', async () => {
    await expect(withTimeout(Promise.resolve(1), 1_000)).resolves.toEqual({ value: 1 });
    await expect(withTimeout(Promise.reject(new Error('failed')), 1_000)).resolves.toBeNull();
    await expect(withTimeout(new Promise(() => {}), 1)).resolves.toBeNull();
  });

  test('pause ends without an error when the signal aborts before or during it', async () => {
    const controller = new AbortController();
    const during = pause(60_000, controller.signal);
    controller.abort();
    await expect(Promise.all([during, pause(60_000, controller.signal)])).resolves.toBeDefined();
  });
});

describe('circuit', () => {
  let now = 0;
  beforeEach(() => {
    now = 0;
  });

  const circuitOf = (outcomeOf?: () => 'success' | 'failure' | 'ignored') =>
    createCircuit({
      failures: 2,
      pauseMs: 100,
      now: () => now,
      openError: () => new Error('open'),
      ...(outcomeOf ? { outcomeOf } : {}),
    });
  const fail = () => Promise.reject(new Error('failed'));
  const succeed = () => Promise.resolve('done');

  test('opens after the failures in a row and admits one trial call after the pause', async () => {
    const circuit = circuitOf();
    await expect(circuit.run(fail)).rejects.toThrow('failed');
    await circuit.run(succeed);
    await expect(circuit.run(fail)).rejects.toThrow('failed');
    expect(circuit.state()).toBe('closed');
    await expect(circuit.run(fail)).rejects.toThrow('failed');
    expect([circuit.state(), circuit.retryAt()]).toEqual(['open', 100]);
    now = 99;
    await expect(circuit.run(succeed)).rejects.toThrow('open');
    now = 100;
    const trial = circuit.run(succeed);
    expect([circuit.state(), circuit.retryAt()]).toEqual(['half-open', null]);
    await expect(circuit.run(succeed)).rejects.toThrow('open');
    await trial;
    expect(circuit.state()).toBe('closed');
  });

  test('opens again when the trial call fails', async () => {
    const circuit = circuitOf();
    await Promise.allSettled([circuit.run(fail), circuit.run(fail)]);
    now = 150;
    await expect(circuit.run(fail)).rejects.toThrow('failed');
    expect([circuit.state(), circuit.retryAt()]).toEqual(['open', 250]);
  });

  test('decides nothing by an ignored error', async () => {
    let outcome: 'failure' | 'ignored' = 'failure';
    const circuit = circuitOf(() => outcome);
    await Promise.allSettled([circuit.run(fail), circuit.run(fail)]);
    now = 150;
    outcome = 'ignored';
    await expect(circuit.run(fail)).rejects.toThrow('failed');
    expect(circuit.state()).toBe('open');
    await circuit.run(succeed);
    expect(circuit.state()).toBe('closed');
  });
});
