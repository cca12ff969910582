import { useEffect, useEffectEvent } from 'react';
import type { z } from 'zod';
import type { Call } from '../../common/http.ts';
import type { RequestInput } from '../http/client.ts';
import { type UserQuery, useUserQuery } from '../live/hooks/use-user-query.ts';

/** Returns the response of a call, fetched again every `everyMs` while mounted. */
export function usePolledQuery<C extends Call>(
  call: C,
  input: Omit<RequestInput<C>, 'signal' | 'body'>,
  everyMs: number,
): UserQuery<z.output<C['output']>> {
  const query = useUserQuery(call, input);
  const poll = useEffectEvent(() => void query.reload());
  useEffect(() => {
    const timer = setInterval(() => poll(), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return query;
}
