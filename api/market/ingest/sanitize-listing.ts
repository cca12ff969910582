import { cutText, isBlank } from '../../../common/tokens/text/plain-text.ts';
import type { Listing, ListingFacts } from '../sources/observation.ts';
import { nonBlank } from '../sources/polled/payload-values.ts';

/** Greatest lengths, above those of every launchpad. Creators choose these texts, and services pass them on. */
const NAME_LENGTH = 100;
const SYMBOL_LENGTH = 32;
const URI_LENGTH = 300;
const ADDRESS_LENGTH = 64;
const MAX_DECIMALS = 18;
/** A creation further in the future, ms, comes from a wrong clock and would head every list. */
const LATEST_CREATION = 60_000;

/** Returns a listing without impossible values, which become null. `now` is the time of receipt. */
export function sanitizeListing(listing: Listing, now: number): Listing {
  const { decimals, totalSupply, createdAt, price } = listing;
  return {
    ...listing,
    name: visible(listing.name, NAME_LENGTH),
    symbol: visible(listing.symbol, SYMBOL_LENGTH),
    uri: limited(nonBlank(listing.uri), URI_LENGTH),
    creator: limited(nonBlank(listing.creator), ADDRESS_LENGTH),
    bondingCurve: limited(nonBlank(listing.bondingCurve), ADDRESS_LENGTH),
    pool: limited(nonBlank(listing.pool), ADDRESS_LENGTH),
    launchpad: limited(nonBlank(listing.launchpad), NAME_LENGTH),
    decimals: Number.isInteger(decimals) && inRange(decimals, MAX_DECIMALS) !== null ? (decimals ?? null) : null,
    totalSupply: totalSupply != null && /^\d{1,40}$/.test(totalSupply) ? totalSupply : null,
    createdAt: createdAt != null && createdAt <= now + LATEST_CREATION ? createdAt : null,
    price: price != null && price.amount > 0 && Number.isFinite(price.amount) ? price : null,
    liquidityLamports: whole(listing.liquidityLamports),
    initialLiquidityLamports: whole(listing.initialLiquidityLamports),
    marketCapUsd: inRange(listing.marketCapUsd),
    volumeUsd: inRange(listing.volumeUsd),
    holderCount: whole(listing.holderCount),
    ...(listing.facts === undefined ? {} : { facts: sanitizeFacts(listing.facts) }),
  };
}

function sanitizeFacts(facts: ListingFacts): ListingFacts {
  return {
    ...facts,
    transferFeeBps: inRange(facts.transferFeeBps, 10_000),
    lpLockedPercent: inRange(facts.lpLockedPercent, 100),
    topTen: inRange(facts.topTen, 100),
    largestWallet: inRange(facts.largestWallet, 100),
    creatorHolds: inRange(facts.creatorHolds, 100),
    creatorRugged: whole(facts.creatorRugged),
    organicScore: inRange(facts.organicScore, 100),
  };
}

/** Returns the first `length` code points; null without a visible character. */
function visible(value: string | null | undefined, length: number): string | null {
  const name = nonBlank(value);
  return name === null || isBlank(name) ? null : cutText(name, length);
}

function limited(value: string | null, length: number): string | null {
  return value !== null && value.length <= length ? value : null;
}

function inRange(value: number | null | undefined, most: number = Number.MAX_VALUE): number | null {
  return value != null && value >= 0 && value <= most ? value : null;
}

function whole(value: number | null | undefined): number | null {
  const amount = inRange(value, Number.MAX_SAFE_INTEGER);
  return amount === null ? null : Math.round(amount);
}
