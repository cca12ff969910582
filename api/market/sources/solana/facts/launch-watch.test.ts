import { expect, test } from 'vitest';
import { created, onChain, reservesWith, START, trade } from '../../../testing/observations.ts';
import { createLaunchWatch } from './launch-watch.ts';

const SOL = 1_000_000_000;
const creation = created({ user: 'signer', chain: onChain({ signature: 'creation' }) });
/** A buy of each wallet, `seconds` after the creation, that leaves this much SOL in the curve. */
const buys = (wallets: readonly string[], seconds: number, sol: number) =>
  wallets.map((wallet) => trade({ wallet, at: START + seconds * 1000, reserves: reservesWith(sol * SOL) }));
const ten = Array.from({ length: 10 }, (_, index) => `wallet ${index}`);

test('a launch passes once, with two minutes of age, ten buyers other than the developer and 5 SOL', () => {
  const watch = createLaunchWatch();
  expect(watch.observe([creation, ...buys([...ten, 'signer', 'creator', 'wallet 0'], 119, 6)])).toEqual([]);
  const passed = watch.observe(buys(['late'], 120, 5));
  expect(passed).toMatchObject([{ address: creation.address, signature: 'creation', buyers: [...ten, 'late'] }]);
  expect([...(passed[0]?.developer ?? [])]).toEqual(['creator', 'signer']);
  expect(watch.observe(buys(['later'], 130, 9))).toEqual([]);
});

test.each([
  ['nine buyers', ten.slice(1), 6, 6],
  ['4.9 SOL', ten, 6, 4.9],
  ['a drained curve', ten, 24.1, 6],
])('%s do not pass', (_case, wallets, peak, sol) => {
  const watch = createLaunchWatch();
  watch.observe([creation, ...buys(wallets, 10, peak)]);
  expect(watch.observe(buys([wallets[0] ?? ''], 130, sol))).toEqual([]);
});

test('keeps the first twenty buyers, and follows no coin whose creation was not observed', () => {
  const watch = createLaunchWatch();
  const many = Array.from({ length: 30 }, (_, index) => `many ${index}`);
  expect(watch.observe(buys(many, 130, 9))).toEqual([]);
  expect(watch.observe([creation, ...buys(many, 60, 9), ...buys(['late'], 130, 9)])[0]?.buyers).toEqual(
    many.slice(0, 20),
  );
});
