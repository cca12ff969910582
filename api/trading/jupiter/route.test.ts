import { describe, expect, test } from 'vitest';
import { pumpAddresses } from '../pump/interface.ts';
import type { BuildResponse } from './build-response.ts';
import type { BuildRequest } from './client.ts';
import { routeOf } from './route.ts';
import { jupiterProgram } from './swap-terms.ts';
import { mint, purchaseResponse, routeInstruction, wallet } from './testing/mainnet-response.ts';

const ask = { wallet: wallet.toBase58(), address: mint.toBase58(), side: 'buy' } as const;
const trade = { ask, amount: 100n, least: 950n };

/** Jupiter with responses that bring `outAmount`, and follow the slippage that is asked for. */
function jupiterWith(...outAmounts: bigint[]) {
  const requests: BuildRequest[] = [];
  async function build(request: BuildRequest): Promise<{ ok: true; value: BuildResponse }> {
    const quotedOut = outAmounts[Math.min(requests.length, outAmounts.length - 1)] ?? 0n;
    requests.push(request);
    const { amount: amountIn, slippageBps } = request;
    const swapInstruction = routeInstruction({ amountIn, quotedOut, slippageBps });
    return { ok: true, value: purchaseResponse(amountIn, quotedOut, { swapInstruction }) };
  }
  return { requests, deps: { jupiter: { build }, programs: [jupiterProgram] } };
}

describe('the way of a trade', () => {
  test('is asked for once with the slippage between the expected and the least result', async () => {
    const { requests, deps } = jupiterWith(1_000n);
    expect(await routeOf(deps, trade, 1_000n)).toMatchObject({ ok: true });
    const request = { amount: 100n, taker: wallet.toBase58(), slippageBps: 500 };
    expect(requests).toEqual([{ ...request, inputMint: pumpAddresses.quoteMint, outputMint: mint.toBase58() }]);
    const sale = { ...trade, ask: { ...ask, side: 'sell' as const } };
    await routeOf(deps, sale, 1_000n);
    expect(requests[1]).toMatchObject({ inputMint: mint.toBase58(), outputMint: pumpAddresses.quoteMint });
  });

  test('is asked for again with less slippage when it brings less than expected', async () => {
    const { requests, deps } = jupiterWith(960n);
    const route = await routeOf(deps, trade, 1_000n);
    expect(requests.map(({ slippageBps }) => slippageBps)).toEqual([500, 104]);
    const terms = route.ok ? jupiterProgram.termsOf(route.value.swapInstruction.data) : null;
    expect(terms?.leastOut).toBeGreaterThanOrEqual(950n);
  });

  test('is refused when it brings less than the least result', async () => {
    const { requests, deps } = jupiterWith(949n);
    expect(await routeOf(deps, trade, 1_000n)).toMatchObject({
      ok: false,
      reason: { code: 'route-shortfall', numbers: { shortBps: 20 } },
    });
    expect(requests).toHaveLength(1);
  });

  test('allows no slippage where the least result is all that is expected', async () => {
    const { requests, deps } = jupiterWith(950n);
    expect(await routeOf(deps, trade, 950n)).toMatchObject({ ok: true });
    expect(requests.map(({ slippageBps }) => slippageBps)).toEqual([0]);
  });
});
