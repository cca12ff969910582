import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

test('a quick run of the trading benchmark prints one JSON line with every figure, and stores orders', async () => {
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, ['--import', 'tsx', 'scripts/bench/trading.ts', '--quick'], {
    cwd: root,
  });
  const lines = stdout.trim().split('\n');
  expect(lines).toHaveLength(1);
  const report: unknown = JSON.parse(lines[0] ?? '');
  expect(report).toMatchObject({
    bench: 'trading',
    share: expect.any(Number),
    storedMs: { p50: expect.any(Number), p99: expect.any(Number) },
    orders: expect.any(Number),
    atOnce: { orders: 40, storedMs: { p50: expect.any(Number), p99: expect.any(Number) } },
    manyPlans: { share: expect.any(Number) },
    naiveShare: expect.any(Number),
    pass: expect.any(Boolean),
  });
  expect(report).not.toMatchObject({ orders: 0 });
}, 120_000);
