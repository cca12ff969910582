import { useTradingAccountFetched } from '../trading/state/trading.ts';
import { useListsFetched } from '../watchlists/lists.ts';

/**
 * Returns whether the user's lists and trading account have been fetched, or could not be. Before, rows would move under
 * the finger as the banners above them appear and blacklisted tokens leave.
 */
export function usePageSettled(): boolean {
  const isListsFetched = useListsFetched();
  return useTradingAccountFetched() && isListsFetched;
}
