import type { Listing, ListingFacts } from '../sources/observation.ts';

/** Longer than what any launchpad takes; whoever makes a token chooses them, and a service passes them on. */
const NAME_LENGTH = 100;
const SYMBOL_LENGTH = 32;
const URI_LENGTH = 300;
const ADDRESS_LENGTH = 64;
const MAX_DECIMALS = 18;
/** A creation that lies further ahead, ms, is of a wrong clock, and would head every list. */
const LATEST_CREATION = 60_000;

/** A listing of which every value can be what it says it is: what cannot is left unknown. `now` is the time it was received. */
export function soundListing(listing: Listing, now: number): Listing {
  const { decimals, totalSupply, createdAt, price } = listing;
  return {
    ...listing,
    name: text(listing.name)?.slice(0, NAME_LENGTH) ?? null,
    symbol: text(listing.symbol)?.slice(0, SYMBOL_LENGTH) ?? null,
    uri: within(text(listing.uri), URI_LENGTH),
    creator: within(text(listing.creator), ADDRESS_LENGTH),
    bondingCurve: within(text(listing.bondingCurve), ADDRESS_LENGTH),
    pool: within(text(listing.pool), ADDRESS_LENGTH),
    launchpad: within(text(listing.launchpad), NAME_LENGTH),
    decimals: Number.isInteger(decimals) && inRange(decimals, MAX_DECIMALS) !== null ? (decimals ?? null) : null,
    totalSupply: totalSupply != null && /^\d{1,40}$/.test(totalSupply) ? totalSupply : null,
    createdAt: createdAt != null && createdAt <= now + LATEST_CREATION ? createdAt : null,
    price: price != null && price.amount > 0 && Number.isFinite(price.amount) ? price : null,
    liquidityLamports: whole(listing.liquidityLamports),
    initialLiquidityLamports: whole(listing.initialLiquidityLamports),
    marketCapUsd: inRange(listing.marketCapUsd),
    volumeUsd: inRange(listing.volumeUsd),
    holderCount: whole(listing.holderCount),
    ...(listing.facts === undefined ? {} : { facts: soundFacts(listing.facts) }),
  };
}

function soundFacts(facts: ListingFacts): ListingFacts {
  return {
    ...facts,
    transferFeeBps: inRange(facts.transferFeeBps, 10_000),
    lpLockedPercent: inRange(facts.lpLockedPercent, 100),
    topTen: inRange(facts.topTen, 100),
    largestWallet: inRange(facts.largestWallet, 100),
    creatorHolds: inRange(facts.creatorHolds, 100),
    creatorRugged: whole(facts.creatorRugged),
  };
}

function text(value: string | null | undefined): string | null {
  const trimmed = value?.trim() ?? '';
  return trimmed === '' ? null : trimmed;
}

function within(value: string | null, length: number): string | null {
  return value !== null && value.length <= length ? value : null;
}

function inRange(value: number | null | undefined, most: number = Number.MAX_VALUE): number | null {
  return value != null && value >= 0 && value <= most ? value : null;
}

function whole(value: number | null | undefined): number | null {
  const amount = inRange(value, Number.MAX_SAFE_INTEGER);
  return amount === null ? null : Math.round(amount);
}
