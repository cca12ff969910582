import { expect, test } from 'vitest';
import { PublicError } from '../../../common/errors.ts';
import { createSlowRefusals } from './slow-refusals.ts';

test('refuses after a second, and at once while a thousand refusals wait', async () => {
  const waits: number[] = [];
  let end: () => void = () => {};
  const second = new Promise<void>((resolve) => {
    end = resolve;
  });
  const refuse = createSlowRefusals((ms) => {
    waits.push(ms);
    return second;
  });
  const refused = new PublicError('too-many-requests', { retryAfter: 2 });
  let sent = 0;
  const delayed = Array.from({ length: 1_000 }, () =>
    refuse(refused).catch((error: unknown) => {
      sent += 1;
      return error;
    }),
  );
  await expect(refuse(refused)).rejects.toBe(refused);
  expect([sent, waits.length, waits[0]]).toEqual([0, 1_000, 1_000]);
  end();
  for (const error of await Promise.all(delayed)) expect(error).toBe(refused);
});
