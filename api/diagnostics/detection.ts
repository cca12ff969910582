import { isNew } from '../../common/tokens/lists.ts';
import { symbolIsMissing } from '../../common/tokens/names.ts';
import { sanitizeListing } from '../market/ingest/sanitize-listing.ts';
import type { Observation } from '../market/sources/observation.ts';

/** Longest stored symbol: its length is up to the creator of the token, and thousands of symbols are stored. */
const SYMBOL_LENGTH = 32;

/** A source's report of a new token. Times are epoch ms. */
export interface Detection {
  address: string;
  symbol: string | null;
  launchpad: string | null;
  receivedAt: number;
  /** Creation on chain; null when the source does not report it. */
  createdAt: number | null;
}

/** Returns the detection in an observation; null for an observation about a known or an old token. */
export function detectionOf(observation: Observation): Detection | null {
  switch (observation.kind) {
    case 'created': {
      const { address, launchpad, receivedAt, at } = observation;
      const symbol = storedSymbol(observation.symbol);
      // A stream without chain times uses the receive time.
      return { address, symbol, launchpad, receivedAt, createdAt: at < receivedAt ? at : null };
    }
    case 'listed': {
      const { address, mayBegin, receivedAt } = observation;
      if (!mayBegin) return null;
      const { symbol = null, launchpad = null, createdAt = null } = sanitizeListing(observation.listing, receivedAt);
      // Lists of services contain old coins as well, which are not detections.
      if (createdAt !== null && !isNew(createdAt, receivedAt)) return null;
      return {
        address,
        symbol: storedSymbol(symbol),
        launchpad,
        receivedAt,
        createdAt: createdAt !== null && createdAt < receivedAt ? createdAt : null,
      };
    }
    case 'trade':
    case 'completed':
    case 'migrated':
    case 'reserves':
    case 'creator-changed':
    case 'liquidity-withdrawn':
    case 'facts':
    case 'rate':
    case 'symbols':
      return null;
  }
}

function storedSymbol(symbol: string | null): string | null {
  return symbol === null || symbolIsMissing(symbol) ? null : symbol.trim().slice(0, SYMBOL_LENGTH);
}
