import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rounds } from '../../../../common/testing/effort.ts';
import { fakeServiceApi } from '../polled/testing/fake-service-api.ts';
import { dexscreener } from './dexscreener.ts';
import { rugcheck } from './rugcheck.ts';
import { solanafm } from './solanafm.ts';
import { solscan } from './solscan.ts';
import { createTokenList } from './token-list.ts';

const SLB = '97QUsKyZ1tDbBkWzowCixaZHPfMHz3ME8LQzwa9Upump';

const specs = [dexscreener, solscan, solanafm, rugcheck, createTokenList()];

test.each(specs.map((spec) => [spec.name, spec] as const))('%s: throws for no response', async (_, spec) => {
  const responses = fc.oneof(
    fc.jsonValue(),
    fc.record({
      success: fc.constant(true),
      data: fc.jsonValue(),
      tokens: fc.array(fc.jsonValue()),
      risks: fc.jsonValue(),
    }),
    fc.array(fc.record({ chainId: fc.constant('solana'), tokenAddress: fc.jsonValue(), baseToken: fc.jsonValue() })),
    fc.dictionary(fc.constantFrom(SLB, '__proto__', 'toString'), fc.jsonValue()),
  );
  await fc.assert(
    fc.asyncProperty(responses, async (response) => {
      const { api } = fakeServiceApi({});
      const garbage = { ...api, get: async () => response, post: async () => response };
      const items = [
        ...((await spec.fetchListings?.(garbage)) ?? []),
        ...((await spec.quotes?.fetch(garbage, [SLB])) ?? []),
      ];
      expect(items.every((one) => one.kind !== 'token' || one.address === SLB)).toBe(true);
    }),
    { numRuns: rounds(200) },
  );
});
