import { expect, test } from 'vitest';
import { marketCapUsd } from './market-cap.ts';

test('is price times supply times rate, rounded as on the wire [S3-04]', () => {
  expect(marketCapUsd(0.000001, '1000000000000000', 6, 150)).toBe(150_000);
  expect(marketCapUsd(2.79589934e-8, '1000000000000000', 6, 81.633)).toBe(2282.38);
});

test('is null when one of the three is unknown, never 0 [S3-05]', () => {
  expect(marketCapUsd(null, '1', 6, 150)).toBeNull();
  expect(marketCapUsd(1, null, 6, 150)).toBeNull();
  expect(marketCapUsd(1, '1', null, 150)).toBeNull();
  expect(marketCapUsd(1, '1', 6, null)).toBeNull();
});

test('is the same from the exact price and from the price on the wire', () => {
  const exact = 30.123456789 / 1_068_602_601.5;
  expect(marketCapUsd(exact, '1000000000000000', 6, 148.81)).toBe(
    marketCapUsd(Number(exact.toPrecision(6)), '1000000000000000', 6, 148.81),
  );
});
