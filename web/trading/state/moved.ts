import type { Position } from '../../../common/trading/position.ts';
import { tokensText } from '../../../common/trading/text.ts';
import type { Store } from '../../store.ts';
import { toast } from '../../ui/toast-store.ts';
import { symbolOfToken } from '../format.ts';
import { openPositionsAtom } from './trading.ts';

/** Shows a toast when tokens of a known position left the wallet by another way. A reset of play money shows none. */
export function showMoved(store: Store, position: Position): void {
  const known = store.get(openPositionsAtom)?.find(({ id }) => id === position.id);
  if (!known || known.version >= position.version || position.mode === 'paper') return;
  const moved = BigInt(position.movedTokens) - BigInt(known.movedTokens);
  if (moved <= 0n) return;
  const amount = `${tokensText(String(moved), position.token.decimals)} ${symbolOfToken(position.token)}`;
  const effect = position.status === 'closed' ? 'The position is closed.' : 'The position is smaller now.';
  toast({ title: `${amount} left your wallet`, description: `No order here moved them. ${effect}` });
}
