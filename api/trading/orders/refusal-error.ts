import { type ErrorCode, PublicError } from '../../../common/errors.ts';
import { type Reason, type ReasonCode, reasonText } from '../../../common/trading/reasons.ts';

/** Error codes of refusals; every other reason is `not-tradable`. */
const codes: Partial<Record<ReasonCode, ErrorCode>> = {
  'trading-off': 'trading-off',
  'stopped-all': 'trading-stopped',
  stopped: 'trading-stopped',
  'no-wallet': 'no-wallet',
  'no-key': 'no-key',
  'mode-changed': 'confirm-needed',
  'no-position': 'not-found',
  'per-trade': 'over-limit',
  'day-budget': 'day-budget',
  'open-positions': 'too-many-open',
  'day-loss': 'day-loss',
  cooldown: 'cooldown',
  'unknown-orders': 'unknown-orders',
  balance: 'no-money',
  'no-tokens': 'no-tokens',
  'being-sold': 'being-sold',
  blacklisted: 'blacklisted',
  slippage: 'slippage',
  impact: 'impact',
  'too-small': 'too-small',
  stale: 'stale-market',
};

/** Returns the error of a refused order: its sentence, and its figures by their names in `details`. */
export function refusalError(refused: Reason): PublicError {
  const details = Object.fromEntries(Object.entries(refused.numbers).map(([name, figure]) => [name, [String(figure)]]));
  return new PublicError(codes[refused.code] ?? 'not-tradable', {
    text: reasonText(refused),
    ...(Object.keys(details).length > 0 ? { details } : {}),
  });
}
