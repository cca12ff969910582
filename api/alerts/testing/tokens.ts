import type { Token } from '../../../common/tokens/model.ts';
import { tokenRecord } from '../../testing/tokens.ts';
import { presentToken } from '../../tokens/present.ts';

/** Returns a token detected at `at` (epoch ms): risk 10, liquidity 2 SOL, unless `fields` differ. */
export function detectedToken(number: number, at: number, fields: Partial<Token> = {}): Token {
  const token = presentToken(tokenRecord(number, { createdAt: at, riskScore: 10 }));
  return { ...token, ...fields };
}
