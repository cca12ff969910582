import { useRef, useState } from 'react';
import { atomWithMutation, useAtomValue } from '../store.ts';
import { toast } from '../ui/toast-store.ts';
import { errorText } from './error.ts';

export interface Mutation<Input> {
  pending: boolean;
  /** Starts the change, unless one is pending: a double click saves once. Never rejects. */
  run: (input: Input) => Promise<void>;
}

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
  return atomWithMutation<void, () => Promise<void>>(() => ({
    mutationFn: (work) => work(),
    // The closure may hold a key or a password: it leaves the cache as soon as it has run.
    gcTime: 0,
  }));
}

/** Shows a failure in the generic error toast. */
export function toastError(reason: unknown): void {
  const description = errorText(reason, 'Something went wrong. Nothing was saved.');
  toast({ title: 'Error', description, variant: 'destructive' });
}
