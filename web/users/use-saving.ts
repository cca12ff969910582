import { useState } from 'react';
import { HttpError } from '../http/error.ts';
import { toast } from '../ui/toast-store.ts';

/** A save under way: one at a time, so that a double click saves once. */
export interface Saving {
  busy: boolean;
  /** Runs a save. A failure that `onFailure` does not take care of is told in a toast. */
  run(save: () => Promise<void>, onFailure?: (reason: unknown) => boolean): Promise<void>;
}

export function useSaving(): Saving {
  const [busy, setBusy] = useState(false);
  return {
    busy,
    async run(save, onFailure = () => false) {
      if (busy) return;
      setBusy(true);
      try {
        await save();
      } catch (reason) {
        if (!onFailure(reason)) {
          const text = reason instanceof HttpError ? reason.message : 'Something went wrong. Nothing was saved.';
          toast({ title: 'Error', description: text, variant: 'destructive' });
        }
      } finally {
        setBusy(false);
      }
    },
  };
}
