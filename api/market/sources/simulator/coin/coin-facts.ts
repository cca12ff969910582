import type { FactsObservation } from '../../observation.ts';
import type { Dice } from '../random.ts';
import type { Identities } from '../world/identities.ts';
import { type Coin, multipleOf } from './coin.ts';
import { TOKEN_DECIMALS, TOTAL_SUPPLY } from './curve.ts';

/** Accounts in an RPC node's list of the largest. */
const LARGEST_HOLDERS = 20;

/** Estimates: share of failed readings. */
const UNREAD = { authorities: 0.06, extensions: 0.1, holders: 0.15, metadata: 0.1 } as const;

/** A coin whose origins are worth up to 21 requests: this many buyers, and this price multiple (5 SOL on a standard curve). */
const ORIGINS_MIN_BUYERS = 10;
const ORIGINS_MIN_MULTIPLE = 1.36;

/**
 * Returns the facts of a reading at `slot`; unreadable ones are omitted. As on pump.fun, authorities are revoked, no extension
 * and no transfer fee is on, and the metadata can't change: the launchpad's program creates every mint the same way.
 */
export function readFacts(
  dice: Dice,
  coin: Coin,
  at: number,
  slot: number,
): Omit<FactsObservation, 'source' | 'receivedAt'> {
  const facts: FactsObservation['facts'] = {};
  if (!dice.chance(UNREAD.authorities)) {
    facts.decimals = TOKEN_DECIMALS;
    facts.totalSupply = String(TOTAL_SUPPLY);
    facts.mintAuthority = 'revoked';
    facts.freezeAuthority = 'revoked';
  }
  if (!dice.chance(UNREAD.extensions)) {
    facts.extensions = [];
    facts.transferFeeBps = 0;
  }
  if (coin.holdersKnown && !dice.chance(UNREAD.holders)) facts.largestHolders = coin.holders.largest(LARGEST_HOLDERS);
  if (!dice.chance(UNREAD.metadata)) facts.metadataMutable = false;
  if (coin.lpLockedPercent !== null) facts.lpLockedPercent = coin.lpLockedPercent;
  return { kind: 'facts', at, address: coin.address, facts, slot };
}

/** Returns whether a reader would spend requests on the origins of this coin. */
export function isWorthOrigins(coin: Coin): boolean {
  return coin.earlyBuyers.length >= ORIGINS_MIN_BUYERS && multipleOf(coin) >= ORIGINS_MIN_MULTIPLE;
}

/** Returns who paid for the creation, and the funders of those early buyers whose wallets are young. */
export function readOrigins(
  coin: Coin,
  identities: Pick<Identities, 'funderOf'>,
  at: number,
  slot: number,
): Omit<FactsObservation, 'source' | 'receivedAt'> {
  const funders = coin.earlyBuyers.flatMap((wallet) => {
    const funder = coin.funders.get(wallet) ?? identities.funderOf(wallet);
    return funder === null ? [] : [{ wallet, funder }];
  });
  return { kind: 'facts', at, address: coin.address, facts: { feePayer: coin.feePayer, funders }, slot };
}
