import { MINUTE } from '../../../../common/time.ts';
import type { StoredToken } from '../source.ts';

/** Returns a coin on its curve that an earlier run stored: 20 minutes old at `now` (epoch ms), traded a minute before. */
export const storedToken = (now: number, token: Partial<StoredToken> = {}): StoredToken => ({
  address: 'So11111111111111111111111111111111111111112',
  symbol: 'OLD',
  creator: 'Vote111111111111111111111111111111111111111',
  createdAt: now - 20 * MINUTE,
  lastTradeAt: now - MINUTE,
  stage: 'curve',
  reserves: {
    virtualQuote: 60_000_000_000,
    virtualToken: 536_500_000_000_000,
    realQuote: 30_000_000_000,
    realToken: 256_600_000_000_000,
  },
  lastSignature: null,
  ...token,
});
