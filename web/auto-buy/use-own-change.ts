import type { UserData } from '../../common/live/user-data.ts';
import { useUserId } from '../auth/session.ts';
import { HttpError } from '../http/error.ts';
import { queryClientAtom, useStore } from '../store.ts';
import { applyUserData, userKeys } from '../users/apply.ts';

type Subject = 'rules' | 'strategies';

export interface OwnChange {
  /** Takes what the server acknowledged into the list, and has the list fetched again. */
  took: (change: Extract<UserData, { subject: Subject }>) => void;
  /** A change failed: when its subject is gone, or nobody knows what the server did, the list is fetched again. */
  failed: (subject: Subject, reason: unknown) => void;
}

/** Keeps the list of rules or strategies right after a change from this page. */
export function useOwnChange(): OwnChange {
  const store = useStore();
  const userId = useUserId();
  const refetch = (subject: Subject) =>
    void store.get(queryClientAtom).invalidateQueries({ queryKey: userKeys[subject] });
  return {
    took: (change) => {
      if (userId !== null) applyUserData(store.get(queryClientAtom), userId, change);
      refetch(change.subject);
    },
    failed: (subject, reason) => {
      if (reason instanceof HttpError && (reason.status === 404 || reason.status === 0)) refetch(subject);
    },
  };
}

/** What the user is told of a failure, by the server where it says something. */
export function failureText(reason: unknown): string {
  return reason instanceof HttpError ? reason.message : 'Something went wrong. Nothing was saved.';
}
