import { expect, test } from 'vitest';
import type { SentAttempt } from '../executors/executor.ts';
import { coin } from '../testing/coin.ts';
import { sentAttempt } from '../testing/order-record.ts';
import { createPaperLook } from './paper-look.ts';

const NOW = Date.UTC(2026, 10, 23);
const SOL = 1_000_000_000;
const reserves = {
  virtualQuote: 30 * SOL,
  virtualToken: 1_073_000_000_000_000,
  realQuote: 0,
  realToken: 793_100_000_000_000,
};

/** An attempt to buy that falls due `dueIn` ms from now. */
const attemptOf = (signature: string, address: string, dueIn = 0): SentAttempt =>
  sentAttempt({ signature, address, lamports: 10_000_000n, firstSentAt: NOW - 900, delayMs: 900 + dueIn });

/** A look over attempts that are all stored without a verdict, with the number of its reads, and of those at once. */
function lookAt(
  stored: readonly SentAttempt[],
  { unapplied = [], hasBought = () => true }: { unapplied?: SentAttempt[]; hasBought?: () => boolean } = {},
) {
  const reads = { count: 0, atOnce: 0, most: 0 };
  const look = createPaperLook({
    market: {
      coin: async (address) => coin({ address, reserves }),
      hasMerged: () => true,
      stepAt: () => null,
    },
    rentPerByte: () => null,
    book: {
      money: async () => ({ lamports: SOL, hasBought: hasBought() }),
      openPurchases: async () => stored.filter(({ side }) => side === 'buy'),
      async holding(_user, _wallet, address) {
        reads.count += 1;
        reads.atOnce += 1;
        reads.most = Math.max(reads.most, reads.atOnce);
        await new Promise((resolve) => setImmediate(resolve));
        reads.atOnce -= 1;
        return {
          lot: { tokens: 0n, quoteLamports: 0, rentLamports: 0 },
          undecided: stored.filter((one) => one.address === address),
          unapplied,
        };
      },
    },
    delay: { of: async () => 900 },
    clock: { now: () => NOW },
  });
  return { look, reads };
}

test('one look decides everything that is due, some coins at once, and reads each coin once', async () => {
  const due = Array.from({ length: 20 }, (_, coin) =>
    Array.from({ length: 9 }, (_, plan) => attemptOf(`${coin}:${plan}`, `coin ${coin}`)),
  ).flat();
  const later = Array.from({ length: 50 }, (_, coin) => attemptOf(`later ${coin}`, `other coin ${coin}`, 1));
  const { look, reads } = lookAt([...due, ...later]);
  const verdicts = await look([...later, ...due]);
  expect([...verdicts.keys()].toSorted()).toEqual(due.map(({ signature }) => signature).toSorted());
  expect(reads.count).toBe(20);
  expect(reads.most).toBeGreaterThan(1);
  expect(reads.most).toBeLessThanOrEqual(8);
});

test('an attempt waits for an earlier one of its coin that no look was asked for', async () => {
  const [first, second] = [attemptOf('first', 'coin', -1), attemptOf('second', 'coin')];
  const { look } = lookAt([second, first]);
  expect((await look([second])).size).toBe(0);
  expect([...(await look([second, first])).keys()]).toEqual(['first', 'second']);
});

test('a sale waits until earlier trades are in their positions, and so does a purchase after a sale [T-38]', async () => {
  const sale = { ...attemptOf('sale', 'coin'), side: 'sell' as const };
  const earlier = attemptOf('a purchase', 'coin', -1);
  const earlierSale = { ...earlier, signature: 'a sale', side: 'sell' as const };
  const isDecided = async (attempt: SentAttempt, before: SentAttempt) => {
    const { look } = lookAt([attempt], { unapplied: [before] });
    return (await look([attempt])).size > 0;
  };
  expect(await isDecided(sale, earlier)).toBe(false);
  expect(await isDecided(attemptOf('purchase', 'coin'), earlierSale)).toBe(false);
  expect(await isDecided(attemptOf('purchase', 'coin'), earlier)).toBe(true);
  expect(await isDecided(sale, { ...earlier, delayMs: 901 })).toBe(true);
  const { look } = lookAt([sale, earlier]);
  expect([...(await look([sale, earlier])).keys()]).toEqual(['a purchase']);
});

test('the first purchase of a wallet pays the rent that all later ones share, also among coins that fall due together [T-38]', async () => {
  const [first, second] = [attemptOf('first', 'coin', -1), attemptOf('second', 'other coin')];
  expect((await lookAt([first, second]).look([first, second])).size).toBe(2);
  const verdicts = await lookAt([first, second], { hasBought: () => false }).look([first, second]);
  expect([...verdicts.keys()]).toEqual(['first']);
});

test('a first purchase that is over while another one is decided has paid the rent [T-38]', async () => {
  const later = attemptOf('later', 'other coin');
  // It is confirmed and closed after the first read of the wallet, before the open purchases are read.
  let reads = 0;
  const hasBought = () => {
    reads += 1;
    return reads > 1;
  };
  const verdicts = await lookAt([later], { hasBought }).look([later]);
  expect(verdicts.get('later')).toMatchObject({ outcome: 'landed', fill: { costs: { volumeRentLamports: 0 } } });
});
