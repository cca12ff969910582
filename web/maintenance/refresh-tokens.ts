import { adminCalls } from '../../common/admin/http.ts';
import { tokenCalls } from '../../common/tokens/http.ts';
import { liveOf } from '../live/live.ts';
import { queryClientAtom, type Store } from '../store.ts';

/** After tokens were removed: the feed takes their rows away; what lists and totals are now is asked for. */
export function refreshTokens(store: Store): void {
  const client = store.get(queryClientAtom);
  for (const call of [tokenCalls.list, tokenCalls.new, tokenCalls.earlyLiquidity, adminCalls.stats]) {
    void client.invalidateQueries({ queryKey: [call.path] });
  }
  const { loader } = liveOf(store);
  void loader.load('newest');
  void loader.load('fresh');
  void loader.loadStats();
}
