import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { jupiterProgram } from './swap-terms.ts';
import { routeData } from './testing/mainnet-response.ts';

const discriminatorOf = (name: string): string =>
  createHash('sha256').update(`global:${name}`).digest('hex').slice(0, 16);

describe('the terms of a swap by Jupiter', () => {
  test('are the amount and the quoted result less the slippage, rounded down', () => {
    const data = routeData({
      amountIn: 7n,
      quotedOut: 1_001n,
      slippageBps: 250,
      discriminator: discriminatorOf('route_v2'),
    });
    expect(jupiterProgram.termsOf(data)).toEqual({ amountIn: 7n, leastOut: 975n });
    const shared = { discriminator: discriminatorOf('shared_accounts_route_v2'), id: 9 };
    expect(jupiterProgram.termsOf(routeData({ amountIn: 7n, quotedOut: 1_001n, ...shared }))).toEqual({
      amountIn: 7n,
      leastOut: 1_001n,
    });
  });

  test('are none for other instructions, for fees, and for too little data', () => {
    const plain = { amountIn: 7n, quotedOut: 1_001n };
    for (const terms of [
      { ...plain, discriminator: discriminatorOf('exact_out_route_v2') },
      { ...plain, discriminator: discriminatorOf('route') },
      { ...plain, platformFeeBps: 1 },
      { ...plain, betterPriceFeeBps: 1 },
      { ...plain, slippageBps: 10_001 },
    ]) {
      expect(jupiterProgram.termsOf(routeData(terms))).toBeNull();
    }
    expect(jupiterProgram.termsOf(routeData(plain).subarray(0, 29))).toBeNull();
    expect(jupiterProgram.termsOf(Buffer.alloc(0))).toBeNull();
  });
});
