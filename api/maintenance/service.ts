import type { Market } from '../market/market.ts';
import { simulatedTokens } from '../market/removal.ts';

export interface Cleaned {
  message: string;
  count: number;
}

/** What administrators have done to the store of tokens. One run at a time: otherwise `already-running`. */
export interface Maintenance {
  /** Removes the tokens of the simulated market; the simulator goes on with new ones. */
  cleanupMockTokens(): Promise<Cleaned>;
}

export function createMaintenance({ market }: { market: Pick<Market, 'remove'> }): Maintenance {
  return {
    async cleanupMockTokens() {
      const count = await market.remove(simulatedTokens);
      return { message: `Successfully cleaned up ${count} mock tokens`, count };
    },
  };
}
