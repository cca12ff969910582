import { useState } from 'react';
import { ADMIN_KEY_HEADER } from '../../common/http.ts';
import { HOURS_AGO_DEFAULT } from '../../common/maintenance/model.ts';
import { HttpError } from '../http/error.ts';
import { useMutation } from '../http/use-mutation.ts';
import { type ActionResult, requestAction, toastTitles } from '../maintenance/token-actions.ts';
import { toast } from '../ui/toast-store.ts';

export type DirectAction = 'cleanup-mock-tokens' | 'cleanup-all-invalid-tokens' | 'run-multi-source-aggregator';

interface DirectInput {
  action: DirectAction;
  adminKey: string;
}

/** Outcome of the last action. */
interface Outcome {
  action: DirectAction;
  ok: boolean;
  text: string;
}

interface DirectActionState {
  /** The pending action; null when there is none. */
  running: DirectAction | null;
  outcome: Outcome | null;
  run: (input: DirectInput) => Promise<void>;
}

/**
 * Runs maintenance actions with the admin key, one at a time, and reports the outcome in a toast. The key is sent in the
 * request header and stored nowhere.
 */
export function useDirectAction(): DirectActionState {
  const [running, setRunning] = useState<DirectAction | null>(null);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const { pending, run } = useMutation(async ({ action, adminKey }: DirectInput) => {
    setRunning(action);
    setOutcome(null);
    const { started, text } = await requestWithKey(action, adminKey).catch((reason: unknown) => ({
      started: false,
      text: failureText(reason),
    }));
    setOutcome({ action, ok: started, text });
    const { done, failed } = toastTitles[action];
    toast(started ? { title: done, description: text } : { title: failed, description: text, variant: 'destructive' });
  });
  return { running: pending ? running : null, outcome, run };
}

const WRONG_KEY = 'The server did not accept this admin key.';
/** The last character an HTTP header can carry, so no valid key has one beyond it. */
const LAST_HEADER_CHARACTER = '\u00ff';

async function requestWithKey(action: DirectAction, adminKey: string): Promise<ActionResult> {
  if ([...adminKey].some((character) => character > LAST_HEADER_CHARACTER)) return { started: false, text: WRONG_KEY };
  return requestAction(action, HOURS_AGO_DEFAULT, { [ADMIN_KEY_HEADER]: adminKey });
}

function failureText(reason: unknown): string {
  if (!(reason instanceof HttpError)) return 'Something went wrong. Please try again.';
  if (reason.status === 401) return WRONG_KEY;
  if (reason.serverMessage !== null) return reason.serverMessage;
  return isJson(reason.body) ? `Server error: ${reason.status}` : 'Unable to parse error response';
}

function isJson(body: string | null): boolean {
  try {
    JSON.parse(body ?? '');
    return true;
  } catch {
    // A parse error means no, not a failure.
    return false;
  }
}
