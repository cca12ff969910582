import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Stop, type StopStage, stopInOrder } from './shutdown.ts';

/** What is left to the server of the 5 s in which everything ends: see PART_DEADLINE_MS of scripts/steps/shutdown.mjs. */
const MOST = 3_800;

const log = pino({ level: 'silent' });
const stages: StopStage[] = ['stores', 'listeners', 'doors', 'work'];

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('everything is over in time, whatever hangs, and each stage has had its turn', async () => {
  const begun: string[] = [];
  const hanging = stages.flatMap((stage): Stop[] =>
    [1, 2, 3].map((number) => ({
      name: `${stage} ${number}`,
      stage,
      run() {
        begun.push(stage);
        return new Promise(() => {});
      },
    })),
  );
  let isOver = false;
  const stopped = stopInOrder(hanging, log).then(() => {
    isOver = true;
  });
  await vi.advanceTimersByTimeAsync(MOST);
  expect(isOver).toBe(true);
  expect([...new Set(begun)]).toEqual(['work', 'doors', 'listeners', 'stores']);
  expect(begun).toHaveLength(hanging.length);
  await stopped;
});

test('one that fails, also at once, keeps no other from stopping', async () => {
  const ended: string[] = [];
  const run = (name: string) => async () => void ended.push(name);
  await stopInOrder(
    [
      { name: 'database', stage: 'stores', run: run('database') },
      { name: 'server', stage: 'doors', run: () => Promise.reject(new Error('stuck')) },
      {
        name: 'runs',
        stage: 'work',
        run() {
          throw new Error('at once');
        },
      },
      { name: 'market', stage: 'doors', run: run('market') },
    ],
    log,
  );
  expect(ended).toEqual(['market', 'database']);
});
