import { nameIsMissing, symbolIsMissing } from '../../../../common/tokens/names.ts';
import { sanitizeListing } from '../../ingest/sanitize-listing.ts';
import type { ListedObservation, Listing } from '../../sources/observation.ts';
import { advance } from '../lifecycle.ts';
import { AT_ONCE, type LiveToken, set } from '../state/live-token.ts';
import { mergeListingFacts } from './facts.ts';
import { isChain, type Provenance } from './precedence.ts';
import { prefer, preferOrigin } from './preferred-fields.ts';
import { mergeReportedFigures } from './reported-figures.ts';

/** Merges the listing of a data service by precedence. Returns true when something changed. */
export function mergeListed(live: LiveToken, observation: ListedObservation): boolean {
  const from: Provenance = { source: observation.source, at: observation.at };
  const listing = sanitizeListing(observation.listing, observation.receivedAt);
  const named = [
    prefer(live, 'name', nameIsMissing(listing.name ?? null) ? null : (listing.name ?? null), from),
    prefer(live, 'symbol', symbolIsMissing(listing.symbol ?? null) ? null : (listing.symbol ?? null), from),
  ];
  const merged = [
    ...named,
    prefer(live, 'uri', listing.uri ?? null, from),
    prefer(live, 'creator', listing.creator ?? null, from),
    prefer(live, 'decimals', listing.decimals ?? null, from),
    prefer(live, 'totalSupply', listing.totalSupply ?? null, from),
    prefer(live, 'bondingCurve', listing.bondingCurve ?? null, from),
    prefer(live, 'pool', listing.pool ?? null, from),
    prefer(live, 'createdAt', listing.createdAt ?? null, from),
    prefer(live, 'initialLiquidityLamports', listing.initialLiquidityLamports ?? null, from),
    preferOrigin(live, 'launchpad', listing.launchpad ?? undefined, from),
    preferOrigin(live, 'quote', listing.quote ?? undefined, from),
    preferOrigin(live, 'cluster', 'mainnet', from),
    mergeReportedStage(live, listing.stage),
    mergeReportedFigures(live, listing, from),
    listing.facts !== undefined && mergeListingFacts(live, listing.facts, from),
  ];
  setListedAt(live);
  const changed = merged.includes(true);
  // The market cap depends on the supply, and so do the holders' shares.
  if (changed) live.due.values = AT_ONCE;
  return changed;
}

/** Sorts the token into lists by its creation, once that is known. */
export function setListedAt(live: LiveToken): void {
  const { createdAt, listedAt } = live.record;
  if (createdAt === null || listedAt === createdAt) return;
  set(live, 'listedAt', createdAt);
}

/** Moves a coin to a reported stage, but off a curve that the chain reports: the chain will report that, too. */
function mergeReportedStage(live: LiveToken, reported: Listing['stage']): boolean {
  if (reported == null) return false;
  const { stage, reserves, detectedBy } = live.record;
  const isFollowed = stage === 'curve' && reserves !== null && reserves.realToken > 0 && isChain(detectedBy);
  return reported === 'pool' && isFollowed ? false : advance(live, reported);
}
