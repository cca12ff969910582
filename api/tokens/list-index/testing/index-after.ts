import type { Token } from '../../../../common/tokens/model.ts';
import { addressNumber } from '../../../testing/tokens.ts';
import { createListIndex } from '../list-index.ts';

/** Returns an index and the tokens that it has after some changes at `now` (epoch ms); a number removes its token. */
export function indexAfter(changes: readonly (Token | number)[], now: number) {
  const index = createListIndex();
  const tokens = new Map<string, Token>();
  for (const change of changes) {
    if (typeof change === 'number') {
      index.remove([addressNumber(change)]);
      tokens.delete(addressNumber(change));
    } else {
      index.put(change, now);
      tokens.set(change.address, change);
    }
  }
  return { index, tokens: [...tokens.values()] };
}
