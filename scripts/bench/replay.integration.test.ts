import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

test('a quick run of the replay benchmark prints one JSON line, and its run buys and sells', async () => {
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, ['--import', 'tsx', 'scripts/bench/replay.ts', '--quick'], {
    cwd: root,
  });
  const lines = stdout.trim().split('\n');
  expect(lines).toHaveLength(1);
  const report: unknown = JSON.parse(lines[0] ?? '');
  expect(report).toMatchObject({
    bench: 'replay',
    speed: expect.any(Number),
    writtenPerSecond: expect.any(Number),
    isSound: true,
    pass: true,
  });
}, 60_000);
