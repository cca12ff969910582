import type { UserData } from '../../common/live/user-data.ts';
import { useUserId } from '../auth/session.ts';
import { HttpError } from '../http/error.ts';
import { queryClientAtom, useStore } from '../store.ts';
import { applyUserData, userKeys } from '../users/user-cache.ts';

type Subject = 'rules' | 'strategies';

interface ListUpdate {
  /** Applies an acknowledged change to the cached list, then refetches it. */
  apply: (change: Extract<UserData, { subject: Subject }>) => void;
  /** Refetches the list when the item no longer exists or the outcome is unknown. */
  recover: (subject: Subject, reason: unknown) => void;
}

/** Updates the cached list of rules or strategies after a change made on this page. */
export function useListUpdate(): ListUpdate {
  const store = useStore();
  const userId = useUserId();
  const refetch = (subject: Subject) =>
    void store.get(queryClientAtom).invalidateQueries({ queryKey: userKeys[subject] });
  return {
    apply: (change) => {
      if (userId !== null) applyUserData(store.get(queryClientAtom), userId, change);
      refetch(change.subject);
    },
    recover: (subject, reason) => {
      if (reason instanceof HttpError && (reason.status === 404 || reason.status === 0)) refetch(subject);
    },
  };
}
