import os from 'node:os';
import { expect, test } from 'vitest';
import { BACKGROUND_PRIORITY, run } from './command.mjs';

const printPriority = ['-p', 'os.getPriority()'];

test('a program in the background has a lower priority, and others that of this process', async () => {
  const [background, other] = await Promise.all([
    run(process.execPath, printPriority, { inBackground: true }),
    run(process.execPath, printPriority),
  ]);
  expect(background.stdout).toBe(String(Math.max(os.getPriority(), BACKGROUND_PRIORITY)));
  expect(other.stdout).toBe(String(os.getPriority()));
});
