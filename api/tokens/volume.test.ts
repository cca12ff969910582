import { expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../common/time.ts';
import { tokenRecord } from '../testing/tokens.ts';
import type { TokenRecord } from './record.ts';
import { withCurrentVolume } from './volume.ts';

const AT = 500_000 * HOUR;
/** $100 in each of two minutes: the first of its hour and the thirtieth. */
const traded: Partial<TokenRecord> = {
  createdAt: AT,
  lastUpdated: AT + HOUR,
  volumeByHour: [{ hour: AT / HOUR, lamports: 2_000_000_000, microUsd: 200_000_000 }],
  volumeMinutes: [{ hour: AT / HOUR, minutes: [0, 1_000_000_000] }],
  runningMinute: { minute: AT / MINUTE + 30, amount: 1_000_000_000 },
  volumeUsd: 200,
};
const report = (value: number, at: number): Partial<TokenRecord> => ({
  reported: {
    price: null,
    liquidityLamports: null,
    marketCapUsd: null,
    volumeUsd: { value, at, source: 'jupiter' },
    holderCount: null,
    creatorRugged: null,
  },
});

const unobserved: Partial<TokenRecord> = { volumeByHour: [], complete: false, buys: 0, sells: 0, volumeUsd: 9 };

test.each<[string, Partial<TokenRecord>, number, number | null]>([
  ['as stored within the day', {}, 2 * HOUR, 200],
  ['falls by its minutes', {}, DAY + 15 * MINUTE, 100],
  ['is 0 a day after the last trade', {}, DAY + HOUR, 0],
  ['is 0 long after the last trade', {}, 10 * DAY, 0],
  ['as stored while its token is in memory', { lastUpdated: AT + DAY + HOUR }, DAY + HOUR + MINUTE, 200],
  ['as stored without hours', { volumeByHour: [] }, 10 * DAY, 200],
  [
    'unknown with an unvalued trade',
    { volumeByHour: [{ hour: AT / HOUR, lamports: 5, microUsd: null }] },
    2 * HOUR,
    null,
  ],
  ['unknown without an observed trade', { complete: false, buys: 0, sells: 0 }, DAY + HOUR, null],
  ['of a report that was applied', { ...report(900, AT + DAY), volumeUsd: 900 }, DAY + HOUR, 900],
  ['of the trades after a day without a report', { ...report(900, AT), volumeUsd: 900 }, DAY + 15 * MINUTE, 100],
  ['of the trades where a report was not applied', report(900, AT + DAY), DAY + HOUR, 0],
  ['of a report about a coin of which trades are missing', { ...report(9, AT + DAY), complete: false }, DAY + HOUR, 9],
  [
    'unknown a day after the report of a coin without observed trades',
    { ...unobserved, ...report(9, AT) },
    2 * DAY,
    null,
  ],
  ['of a report about a coin without observed trades', { ...unobserved, ...report(9, AT) }, DAY, 9],
  ['of the own day of a replay with recorded times', { detectedBy: 'replay', lastTradeAt: AT }, 2 * DAY, 200],
  ['of now in a shifted replay', { detectedBy: 'replay', lastTradeAt: AT, storedAt: AT + 1 }, 2 * DAY, 0],
])('the volume of a stored token: %s', (_name, overrides, after, expected) => {
  const record = tokenRecord(1, { ...traded, ...overrides });
  expect(withCurrentVolume(record, AT + after).volumeUsd).toBe(expected);
});
