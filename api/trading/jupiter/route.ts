import { BPS } from '../../../common/trading/amounts.ts';
import type { Outcome } from '../executors/executor.ts';
import { pumpAddresses } from '../pump/interface.ts';
import type { BuildResponse } from './build-response.ts';
import type { ExpectedSwap } from './check-instructions.ts';
import type { BuildRequest, JupiterClient } from './client.ts';
import { shortfall } from './effects.ts';
import type { SwapProgram } from './swap-terms.ts';

export interface RouteDeps {
  jupiter: Pick<JupiterClient, 'build'>;
  programs: readonly SwapProgram[];
}

/**
 * Returns Jupiter's way for a trade, with the bound of the trade in its instruction; `route-shortfall` when it brings less than that at
 * present. `expected`: the result by the formulas of the pool. Asked a second time when the slippage that follows from it is too much
 * for Jupiter's own figures.
 */
export async function routeOf(
  { jupiter, programs }: RouteDeps,
  { ask, amount, least }: Omit<ExpectedSwap, 'tokenProgram'>,
  expected: bigint,
): Promise<Outcome<BuildResponse>> {
  const { wallet, address, side } = ask;
  const [inputMint, outputMint] =
    side === 'buy' ? [pumpAddresses.quoteMint, address] : [address, pumpAddresses.quoteMint];
  const request = (slippageBps: number): BuildRequest => ({
    inputMint,
    outputMint,
    amount,
    taker: wallet,
    slippageBps,
  });
  const first = await jupiter.build(request(slippageTo(least, expected)));
  if (!first.ok) return first;
  const { outAmount, swapInstruction } = first.value;
  if (outAmount < least) return { ok: false, reason: shortfall(outAmount, least) };
  const program = programs.find(({ id }) => id === swapInstruction.programId.toBase58());
  const terms = program?.termsOf(swapInstruction.data) ?? null;
  if (terms === null || terms.leastOut >= least) return first;
  return jupiter.build(request(slippageTo(least, outAmount)));
}

/** Returns the slippage after which a result is still at least `least`, whole basis points. */
function slippageTo(least: bigint, result: bigint): number {
  return result <= least ? 0 : Number(((result - least) * BigInt(BPS)) / result);
}
