import { useEffect, useRef } from 'react';
import { defaultRule, type RuleInput } from '../../common/rules/model.ts';
import { tokenCalls } from '../../common/tokens/http.ts';
import { failureText } from '../auto-buy/use-own-change.ts';
import { request } from '../http/client.ts';
import { toast } from '../ui/toast-store.ts';
import { ruleLike } from './like-token.ts';

/**
 * Makes the beginning of a rule of the token at `address`, once for each; null for none. A token that can't be read gives
 * the beginning of any new rule, and a message.
 */
export function useLikeToken(address: string | null, onReady: (start: RuleInput) => void): void {
  const ready = useRef(onReady);
  useEffect(() => {
    ready.current = onReady;
  });
  useEffect(() => {
    if (address === null) return;
    const leaving = new AbortController();
    request(tokenCalls.detail, { params: { address }, signal: leaving.signal }).then(
      ({ data }) => ready.current(ruleLike(data)),
      (reason: unknown) => {
        // The page was left; nobody waits for the token any more.
        if (leaving.signal.aborted) return;
        toast({ title: 'Error', description: failureText(reason), variant: 'destructive' });
        ready.current(defaultRule);
      },
    );
    return () => leaving.abort();
  }, [address]);
}
