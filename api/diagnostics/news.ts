import { isNew } from '../../common/tokens/lists.ts';
import type { Observation } from '../market/observation.ts';

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
      const { address, symbol, launchpad, receivedAt, at } = observation;
      // A stream without times of its own says the time of receiving.
      return { address, symbol, launchpad, receivedAt, createdAt: at < receivedAt ? at : null };
    }
    case 'listed': {
      const { address, mayBegin, receivedAt, listing } = observation;
      const { symbol = null, launchpad = null, createdAt: said = null } = listing;
      // Lists of services name old coins as well, which nobody detects.
      if (!mayBegin || (said !== null && !isNew(said, receivedAt))) return null;
      return { address, symbol, launchpad, receivedAt, createdAt: said !== null && said < receivedAt ? said : null };
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
