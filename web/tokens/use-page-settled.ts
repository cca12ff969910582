import { useEffect, useState } from 'react';
import { useTradingAccountFetched } from '../trading/state/trading.ts';
import { useListsFetched } from '../watchlists/lists.ts';

/** Longest wait, ms: a part that hangs must not hide the tokens. */
const WAIT_MS = 1_500;

/**
 * Returns whether all that would move rows under the finger has been fetched, or could not be: the user's lists, whose
 * blacklisted tokens leave, the trading account, whose banner appears above, and `others` of the page. True after WAIT_MS.
 */
export function usePageSettled(others = true): boolean {
  const isListsFetched = useListsFetched();
  const isAccountFetched = useTradingAccountFetched();
  const [isLate, setIsLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsLate(true), WAIT_MS);
    return () => clearTimeout(timer);
  }, []);
  return isLate || (isListsFetched && isAccountFetched && others);
}
