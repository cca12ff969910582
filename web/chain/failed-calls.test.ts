import { Connection } from '@solana/web3.js';
import { expect, test } from 'vitest';
import { delayFailures } from './failed-calls.ts';

test('a call on the closed WebSocket of the library fails only after a pause, so that the library does not retry in a busy loop', async () => {
  const connection = new Connection('http://127.0.0.1:1');
  const pauses: number[] = [];
  let go = (): void => undefined;
  delayFailures(connection, (ms) => {
    pauses.push(ms);
    return new Promise((resolve) => {
      go = resolve;
    });
  });
  let failed = false;
  const call = Reflect.get(
    Reflect.get(connection, '_rpcWebSocket'),
    'call',
  )('signatureSubscribe').catch(() => {
    failed = true;
  });
  await Promise.resolve();
  await new Promise((resolve) => setImmediate(resolve));
  expect({ pauses, failed }).toEqual({ pauses: [1_000], failed: false });
  go();
  await call;
  expect(failed).toBe(true);
});
