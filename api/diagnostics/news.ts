import { isNew } from '../../common/tokens/lists.ts';
import { symbolIsMissing } from '../../common/tokens/names.ts';
import { soundListing } from '../market/ingest/sanitize-listing.ts';
import type { Observation } from '../market/sources/observation.ts';

/** Whoever makes a token chooses its symbol, and thousands of them are kept. */
const SYMBOL_LENGTH = 32;

/** That there is a token. Times are epoch ms. */
export interface News {
  address: string;
  symbol: string | null;
  launchpad: string | null;
  receivedAt: number;
  /** Null when the source does not know when it was created. */
  createdAt: number | null;
}

/** Null for what is about tokens that are known already. */
export function newsOf(observation: Observation): News | null {
  switch (observation.kind) {
    case 'created': {
      const { address, launchpad, receivedAt, at } = observation;
      const symbol = symbolOf(observation.symbol);
      // A stream without times of its own says the time of receiving.
      return { address, symbol, launchpad, receivedAt, createdAt: at < receivedAt ? at : null };
    }
    case 'listed': {
      const { address, mayBegin, receivedAt } = observation;
      if (!mayBegin) return null;
      const { symbol = null, launchpad = null, createdAt: said = null } = soundListing(observation.listing, receivedAt);
      // Lists of services name old coins as well, which nobody detects.
      if (said !== null && !isNew(said, receivedAt)) return null;
      return {
        address,
        symbol: symbolOf(symbol),
        launchpad,
        receivedAt,
        createdAt: said !== null && said < receivedAt ? said : null,
      };
    }
    case 'trade':
    case 'completed':
    case 'migrated':
    case 'facts':
    case 'rate':
    case 'symbols':
      return null;
  }
}

function symbolOf(said: string | null): string | null {
  return said === null || symbolIsMissing(said) ? null : said.trim().slice(0, SYMBOL_LENGTH);
}
