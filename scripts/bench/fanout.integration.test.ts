import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

test('a quick run of the fan-out benchmark prints one JSON line with every figure, and loses and duplicates no update', async () => {
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, ['--import', 'tsx', 'scripts/bench/fanout.ts', '--quick'], {
    cwd: root,
  });
  const lines = stdout.trim().split('\n');
  expect(lines).toHaveLength(1);
  const report: unknown = JSON.parse(lines[0] ?? '');
  const figure = { value: expect.any(Number), bar: expect.any(String), pass: expect.any(Boolean) };
  expect(report).toMatchObject({
    bench: 'fanout',
    quick: true,
    control: { value: expect.any(Number) },
    figures: {
      cpuPerFrameToBareWs: figure,
      cpuPerUpdateToEventPerUpdate: figure,
      p99Ms: figure,
      lost: { value: 0, pass: true },
      doubled: { value: 0, pass: true },
      bytesPerUpdate: figure,
      heapPerStalledClientMiB: figure,
      lostByOthersWhileStalled: { value: 0, pass: true },
    },
    details: { feed: { updates: 200, deliveredUpdates: 4_000 } },
  });
}, 120_000);
