import { type RefObject, useEffect } from 'react';
import { listChoiceSchema } from '../../../common/tokens/http.ts';
import { type Chosen, chosenAtom, linkAtom } from '../../live/atoms/atoms.ts';
import { pollEvery } from '../../live/connection/polling.ts';
import { useLiveMarket } from '../../live/live.ts';
import { useAtomValue } from '../../store.ts';
import { type Controls, choiceOf } from './controls.ts';
import type { TokenTableHandle } from './token-table.tsx';

/** Delay of a search after typing, ms; loaded rows are filtered at once. */
const SEARCH_REST_MS = 250;
/**
 * Interval at which the server sorts and filters again, ms. Events update the rows that are loaded; a token that is not comes
 * in with the next response.
 */
export const CHOSEN_EVERY_MS = 5_000;

/**
 * Requests the list of the choices, and again while the page is visible: its first page, and those of the rows in
 * `table`. Returns how far it is loaded; null before a response.
 */
export function useChosen(controls: Controls, table: RefObject<TokenTableHandle | null>): Chosen | null {
  const { loader, subscriptions } = useLiveMarket();
  const chosen = useAtomValue(chosenAtom);
  const isLive = useAtomValue(linkAtom).phase === 'live';
  const wanted = JSON.stringify(choiceOf(controls));
  const isPlain = wanted === '{}';
  const isTyping = controls.text.trim() !== '';
  useEffect(() => {
    const search = () => void loader.search(listChoiceSchema.parse(JSON.parse(wanted)));
    const timer = setTimeout(search, isTyping ? SEARCH_REST_MS : 0);
    return () => clearTimeout(timer);
  }, [loader, wanted, isTyping]);
  // Other pages with a search must not start with these rows.
  useEffect(() => () => void loader.search({}), [loader]);
  useEffect(() => {
    // Without the feed it is polled like every list.
    if (!isPlain) return subscriptions.add('search', pollEvery.listPage);
  }, [subscriptions, isPlain]);
  useEffect(() => {
    if (isPlain || !isLive) return;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void loader.refreshSearch(table.current?.sight() ?? []);
    }, CHOSEN_EVERY_MS);
    return () => clearInterval(timer);
  }, [loader, isPlain, isLive, table]);
  return chosen !== null && JSON.stringify(chosen.choice) === wanted ? chosen : null;
}
