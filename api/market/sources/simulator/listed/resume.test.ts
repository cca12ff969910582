import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { MINUTE } from '../../../../../common/time.ts';
import type { StoredToken } from '../../source.ts';
import { testContext } from '../../testing/source-context.ts';
import { storedToken } from '../../testing/stored-token.ts';
import { createSimulator } from '../simulator.ts';
import type { ListedCoins, ListedRun } from './listed-coins.ts';

const START = Date.UTC(2026, 6, 4, 12);
const [ORDINARY, LISTED] = [
  'So11111111111111111111111111111111111111112',
  'Vote111111111111111111111111111111111111111',
] as const;

const stored = (address: string, more: Partial<StoredToken> = {}) =>
  storedToken(START, { address, creator: address, ...more });

/** Runs a simulator on two coins of an earlier run, and returns the addresses that it hands to the chain and that it trades. */
async function resume(onChain: ReadonlySet<string> | null, tokens: StoredToken[]) {
  const runs: ListedRun[] = [];
  const asked: string[][] = [];
  const listed: ListedCoins = {
    find: async () => onChain,
    start: (run) => void runs.push(run),
    advance: () => undefined,
    clear: () => undefined,
    stop: () => undefined,
    has: () => false,
    ensure: async () => null,
  };
  const context = testContext();
  const source = createSimulator({ rate: 20, seed: 7, clock: { now: () => Date.now() }, solUsd: null, listed });
  await source.start({
    ...context,
    async storedTokens(also = []) {
      asked.push([...also]);
      return tokens;
    },
  });
  await vi.advanceTimersByTimeAsync(5 * MINUTE);
  await source.stop();
  const traded = context.observations.flatMap((one) => (one.kind === 'trade' ? [one.address] : []));
  return {
    asked: asked.flat(),
    handed: runs.flatMap((run) => run.stored.map(({ address }) => address)),
    traded: new Set(traded.filter((address) => address === ORDINARY || address === LISTED)),
  };
}

describe('a coin of an earlier run that is on the chain', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: START });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('is followed there, whatever its age, and no longer traded in the simulated world', async () => {
    const { asked, handed, traded } = await resume(new Set([LISTED]), [stored(ORDINARY), stored(LISTED)]);
    expect({ asked, handed }).toEqual({ asked: [LISTED], handed: [LISTED] });
    expect(traded).toEqual(new Set([ORDINARY]));
  });

  test('is followed by what the market saw of it while the chain does not respond', async () => {
    const { handed, traded } = await resume(null, [stored(ORDINARY), stored(LISTED, { isListed: true })]);
    expect(handed).toEqual([LISTED]);
    expect(traded).toEqual(new Set([ORDINARY]));
  });

  test('is an ordinary coin again on another chain, which does not have it', async () => {
    const { handed, traded } = await resume(new Set(), [stored(ORDINARY), stored(LISTED, { isListed: true })]);
    expect(handed).toEqual([]);
    expect(traded).toEqual(new Set([ORDINARY, LISTED]));
  });
});
