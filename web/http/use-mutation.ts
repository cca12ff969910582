import { useRef, useState } from 'react';
import { atomWithMutation, useAtomValue } from '../store.ts';
import { toast } from '../ui/toast-store.ts';
import { errorText } from './error.ts';

export interface Mutation<Input> {
  pending: boolean;
  /** Starts the change, unless one is pending: a double click saves once. Never rejects. */
  run: (input: Input) => Promise<void>;
}

/**
 * The closure may hold a key or a password, so it leaves the cache soon after it has run. Not at once: a change that is
 * under way when its page closes is looked at again after this time, and 0 would keep a timer spinning.
 */
const KEPT_MS = 1_000;

/** Runs a change on the server, one at a time. A failure shows an error toast unless `onError` handles it. */
export function useMutation<Input = void>(
  change: (input: Input) => Promise<void>,
  onError: (reason: unknown) => void = toastError,
): Mutation<Input> {
  const [mutation] = useState(createMutationAtom);
  const { isPending, mutateAsync } = useAtomValue(mutation);
  // `isPending` changes a render later, so it can't stop the second click of a double click.
  const running = useRef<boolean>(false);
  return {
    pending: isPending,
    async run(input) {
      if (running.current) return;
      running.current = true;
      try {
        await mutateAsync(() => change(input));
      } catch (reason) {
        onError(reason);
      } finally {
        running.current = false;
      }
    },
  };
}

/** The variable is the work itself, so one atom per component serves every render's closure. */
function createMutationAtom() {
  return atomWithMutation<void, () => Promise<void>>(() => ({ mutationFn: (work) => work(), gcTime: KEPT_MS }));
}

/** Shows a failure in the generic error toast. */
export function toastError(reason: unknown): void {
  const description = errorText(reason, 'Something went wrong. Nothing was saved.');
  toast({ title: 'Error', description, variant: 'destructive' });
}
