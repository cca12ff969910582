import { between, seeded } from '../../../api/alerts/testing/tokens.ts';
import { tokenRecord } from '../../../api/testing/tokens.ts';
import { presentToken } from '../../../api/tokens/present.ts';
import { listNameOf } from '../../../common/live/lists.ts';
import type { Token, TokenPatch } from '../../../common/tokens/model.ts';
import { roundSignificant } from '../../../common/tokens/units.ts';

/** Liquidity of the tokens, SOL, evenly spread from 0 on: a range of n SOL matches n % of them. */
const HIGHEST = 100;
/** Greatest change of the liquidity by one trade, both ways. */
const MOVE = 0.01;
/** Share of the tokens that the one list of all clients has, percent: the mean of the others. */
const MEAN_PERCENT = 10;

/** What clients of a run follow: one list together, 200 lists, or those 200 each by itself, as if each client were compared. */
export const modes = ['one-list', 'filters', 'each-client'] as const;
export type Mode = (typeof modes)[number];

/** Returns the list of a client. */
export function listOf(mode: Mode, client: number, filters: number): string {
  if (mode === 'one-list') return listNameOf({ f: `liquidity:0-${MEAN_PERCENT}` });
  const place = client % filters;
  const width = 1 + (place % 20);
  const from = (place * 7) % (HIGHEST - width);
  const f = `liquidity:${from}-${from + width}`;
  return listNameOf(mode === 'filters' ? { f } : { f, exclude: `client${client}` });
}

/** Creates the tokens of a market, and the trades that change them one after the other. */
export function createTokens(count: number) {
  const random = seeded(3);
  const tokens = Array.from({ length: count }, (_, number): Token => {
    const token = presentToken(tokenRecord(number, { price: 2.8e-8 * (1 + random()), volumeUsd: random() * 50_000 }));
    return { ...token, currentLiquidity: roundSignificant(random() * HIGHEST), holderCount: between(random, 1, 400) };
  });
  const live = new Map(tokens.map((token) => [token.address, token]));
  let next = 0;

  /** Returns a traded token, by default the one after the last, and its patch. */
  function trade(place?: number): { token: Token; patch: TokenPatch } {
    if (place === undefined) next = (next + 1) % tokens.length;
    const at = place ?? next;
    const before = tokens[at];
    if (!before) throw new RangeError('no such token');
    const { address, number, price, currentLiquidity, volume } = before;
    const move = 1 + (random() - 0.5) * 2 * MOVE;
    const figures = {
      price: roundSignificant((price ?? 0) * move),
      currentLiquidity: roundSignificant((currentLiquidity ?? 0) * move),
      volume: roundSignificant((volume ?? 0) + random() * 300),
    };
    const token = { ...before, ...figures, version: before.version + 1 };
    tokens[at] = token;
    live.set(address, token);
    return { token, patch: { address, number, version: token.version, ...figures } };
  }

  return { tokens, live, trade };
}
