import { useState } from 'react';
import { ADMIN_KEY_HEADER } from '../../common/http.ts';
import { maintenanceCalls } from '../../common/maintenance/http.ts';
import { request } from '../http/client.ts';
import { HttpError } from '../http/error.ts';
import { toast } from '../ui/toast-store.ts';

/** What the page can have done, and how it is told. */
export const directActions = {
  'mock-tokens': {
    label: 'Remove Mock Tokens',
    what: 'All tokens of the simulated market are removed for every user, with their trades and charts.',
    done: 'Cleanup completed',
    failed: 'Cleanup failed',
  },
  'invalid-tokens': {
    label: 'Deep Clean All Invalid Tokens',
    what: 'Tokens that the chain does not know, and those that have neither name nor symbol after an hour, are removed for every user.',
    done: 'Cleanup completed',
    failed: 'Cleanup failed',
  },
  aggregator: {
    label: 'Run Token Aggregator',
    what: 'All polling sources are asked now for new tokens and about known ones.',
    done: 'Aggregator Scan Started',
    failed: 'Multi-Source Aggregator Failed',
  },
} as const;
export type DirectAction = keyof typeof directActions;

/** How the last run ended. */
export interface Ended {
  action: DirectAction;
  ok: boolean;
  text: string;
}

export interface DirectRun {
  /** The action under way; null while there is none. */
  running: DirectAction | null;
  ended: Ended | null;
  run: (action: DirectAction) => Promise<void>;
}

/** Has things done by the admin key, one at a time, and tells what came of it. The key goes into the request and nowhere else. */
export function useDirectRun(key: string): DirectRun {
  const [running, setRunning] = useState<DirectAction | null>(null);
  const [ended, setEnded] = useState<Ended | null>(null);

  async function run(action: DirectAction): Promise<void> {
    if (running !== null) return;
    const { done, failed } = directActions[action];
    setRunning(action);
    setEnded(null);
    const { ok, text } = await send(action, key).catch((reason: unknown) => ({ ok: false, text: failureText(reason) }));
    setRunning(null);
    setEnded({ action, ok, text });
    toast(ok ? { title: done, description: text } : { title: failed, description: text, variant: 'destructive' });
  }

  return { running, ended, run };
}

const WRONG_KEY = 'The server did not accept this admin key.';
/** Beyond it no header can carry a character, so no key that the server was given has one. */
const LAST_IN_HEADER = '\u00ff';

/** What the server says of it, and whether it was done. */
async function send(action: DirectAction, key: string): Promise<{ ok: boolean; text: string }> {
  if ([...key].some((character) => character > LAST_IN_HEADER)) return { ok: false, text: WRONG_KEY };
  const headers = { [ADMIN_KEY_HEADER]: key };
  switch (action) {
    case 'mock-tokens':
      return counted((await request(maintenanceCalls.cleanupMockTokens, { headers })).data);
    case 'invalid-tokens':
      return counted((await request(maintenanceCalls.cleanupInvalidTokens, { headers })).data);
    case 'aggregator': {
      const { data } = await request(maintenanceCalls.runMultiSourceAggregator, { headers, body: {} });
      return { ok: data.started, text: data.message };
    }
  }
}

function counted({ message, count }: { message: string; count: number }): { ok: true; text: string } {
  return { ok: true, text: message || `Removed ${count} ${count === 1 ? 'token' : 'tokens'}.` };
}

function failureText(reason: unknown): string {
  if (!(reason instanceof HttpError)) return 'Something went wrong. Please try again.';
  if (reason.status === 401) return WRONG_KEY;
  if (reason.told !== null) return reason.told;
  return isJson(reason.body) ? `Server error: ${reason.status}` : 'Unable to parse error response';
}

function isJson(body: string | null): boolean {
  try {
    JSON.parse(body ?? '');
    return true;
  } catch {
    // That it is not is the answer.
    return false;
  }
}
