import { roundSignificant } from '../../../../common/tokens/units.ts';
import type { TokenRecord } from '../../../tokens/record.ts';
import type { Listing } from '../../sources/observation.ts';
import { type LiveToken, set } from '../state/live-token.ts';
import { isFresher, type Voiced } from './precedence.ts';
import type { Told } from './quote.ts';

/** Figures of the chain that are so much older, ms, than a service's word no longer count: the feed was not heard meanwhile. */
const CHAIN_COUNTS_FOR = 3_600_000;

const nothingTold = (): Told => ({
  price: null,
  liquidityLamports: null,
  marketCapUsd: null,
  volumeUsd: null,
  holderCount: null,
  creatorRugged: null,
});

/** Takes the figures of a listing. True when one counts more than what was known. */
export function takeFigures(live: LiveToken, listing: Listing, from: Voiced): boolean {
  const told = { ...(live.record.told ?? nothingTold()) };
  let changed = false;
  const take = <Key extends keyof Told>(key: Key, value: NonNullable<Told[Key]>['value'] | null | undefined) => {
    if (value == null) return;
    const known = told[key];
    if (known !== null && !isFresher(key, from, known)) return;
    Object.assign(told, { [key]: { value, at: from.at, source: from.source } });
    changed = true;
  };
  take('price', listing.price);
  take('liquidityLamports', listing.liquidityLamports);
  take('marketCapUsd', listing.marketCapUsd);
  take('volumeUsd', listing.volumeUsd);
  take('holderCount', listing.holderCount);
  take('creatorRugged', listing.facts?.creatorRugged);
  if (!changed) return false;
  // Everything that follows is made anew.
  live.ratedIn = -1;
  live.scoreDue = true;
  return set(live, 'told', told);
}

/** The service's word that is in force; null where the chain's own figures are, or nothing was said. */
export function inForce<Key extends keyof Told>(live: LiveToken, key: Key): Told[Key] | null {
  const word = live.record.told?.[key] ?? null;
  if (word === null) return null;
  const { reserves, complete } = live.record;
  switch (key) {
    case 'price':
    case 'liquidityLamports':
      return reserves === null || word.at - live.reservesAt > CHAIN_COUNTS_FOR ? word : null;
    case 'volumeUsd':
      // Of a token that we met midway, we heard only some of the trades: see `volumeNow`.
      return !complete || word.at - live.reservesAt > CHAIN_COUNTS_FOR ? word : null;
    case 'holderCount':
      return complete ? null : word;
    default:
      return word;
  }
}

/** SOL for one whole token in the words of a service; null while a dollar price has no rate. */
export function toldPrice(record: Pick<TokenRecord, 'told'>, solUsd: number | null): number | null {
  const price = record.told?.price?.value;
  if (price === undefined) return null;
  if (price.in === 'SOL') return price.amount;
  return solUsd === null ? null : roundSignificant(price.amount / solUsd, PRICE_DIGITS);
}

/** Of a converted price; what is beyond comes from the division. */
const PRICE_DIGITS = 12;
