import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLifecycle, type StopStage } from './lifecycle.ts';

/** Time that the supervisor leaves the server, ms: see PART_DEADLINE_MS of scripts/steps/shutdown.mjs. */
const STOP_LIMIT = 3_800;

const log = pino({ level: 'silent' });
const stages: StopStage[] = ['stores', 'listeners', 'doors', 'work'];

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('stops every stage in order and in time, even when every part hangs', async () => {
  const lifecycle = createLifecycle(log);
  const stopping: string[] = [];
  for (const stage of stages) {
    for (const number of [1, 2, 3]) {
      lifecycle.add({
        name: `${stage} ${number}`,
        stage,
        stop() {
          stopping.push(stage);
          return new Promise(() => {});
        },
      });
    }
  }
  let isOver = false;
  const stopped = lifecycle.stop().then(() => {
    isOver = true;
  });
  await vi.advanceTimersByTimeAsync(STOP_LIMIT);
  expect(isOver).toBe(true);
  expect([...new Set(stopping)]).toEqual(['work', 'doors', 'listeners', 'stores']);
  expect(stopping).toHaveLength(stages.length * 3);
  await stopped;
});

test('stops the other parts when one fails, also synchronously, and stops only once', async () => {
  const lifecycle = createLifecycle(log);
  const stopped: string[] = [];
  const stop = (name: string) => async () => void stopped.push(name);
  lifecycle.add({ name: 'database', stage: 'stores', stop: stop('database') });
  lifecycle.add({ name: 'server', stage: 'doors', stop: () => Promise.reject(new Error('stuck')) });
  lifecycle.add({
    name: 'runs',
    stage: 'work',
    stop() {
      throw new Error('at once');
    },
  });
  lifecycle.add({ name: 'market', stage: 'doors', stop: stop('market') });
  await Promise.all([lifecycle.stop(), lifecycle.stop()]);
  expect(stopped).toEqual(['market', 'database']);
});

test('starts parts in the order of addition, and stops those that were started, also one whose start failed', async () => {
  const lifecycle = createLifecycle(log);
  const events: string[] = [];
  const part = (name: string, start = async () => void events.push(`start ${name}`)) =>
    lifecycle.add({ name, stage: 'work', start, stop: () => void events.push(`stop ${name}`) });
  part('first');
  part('second', () => Promise.reject(new Error('no start')));
  part('third');
  await expect(lifecycle.start()).rejects.toThrow('no start');
  await lifecycle.stop();
  expect(events).toEqual(['start first', 'stop first', 'stop second']);
});
