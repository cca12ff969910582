import { maintenanceCalls } from '../../common/maintenance/http.ts';
import { HOURS_AGO_DEFAULT, type Run } from '../../common/maintenance/model.ts';
import { request } from '../http/client.ts';
import { HttpError } from '../http/error.ts';
import { useStore } from '../store.ts';
import { count } from '../ui/format.ts';
import { toast } from '../ui/toast-store.ts';
import { useSaving } from '../users/use-saving.ts';
import { isRemoving, type TokenAction, toastTitles } from './actions.ts';
import { refreshTokens } from './refresh-tokens.ts';
import { runOf } from './use-runs.ts';

const ADMIN_HINT = 'Make sure that you are logged in as an admin.';

export interface UsedAction {
  /** The present or last run, whoever started it; null when there was none. */
  run: Run | null;
  /** It is under way, here or for another administrator. */
  running: boolean;
  /** Another work is under way that lets this one not begin. */
  blocked: boolean;
  /** Has it done, and tells what came of it. `hours` is for recent tokens alone. */
  start: (hours?: number) => Promise<void>;
}

/** One work about tokens. `runs` as far as they are known. */
export function useTokenAction(action: TokenAction, runs: readonly Run[] | undefined): UsedAction {
  const store = useStore();
  const saving = useSaving();
  const run = runOf(runs, action);
  const running = saving.busy || run?.state === 'running';
  const blocked = !running && runs?.some((one) => one.state === 'running' && isRemoving(one.action)) === true;
  const { done, failed } = toastTitles[action];

  async function ask(hours: number): Promise<void> {
    const { text, started } = await send(action, hours);
    toast(started ? { title: done, description: text } : { title: failed, description: text, variant: 'destructive' });
    if (isRemoving(action)) refreshTokens(store);
  }

  function fail(reason: unknown): boolean {
    const text = reason instanceof HttpError ? reason.message : 'Something went wrong.';
    toast({ title: failed, description: `${sentence(text)} ${ADMIN_HINT}`, variant: 'destructive' });
    return true;
  }

  return { run, running, blocked, start: (hours = HOURS_AGO_DEFAULT) => saving.run(() => ask(hours), fail) };
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

interface Told {
  text: string;
  /** False when the server had nothing to begin with, and says why. */
  started: boolean;
}

async function send(action: TokenAction, hoursAgo: number): Promise<Told> {
  switch (action) {
    case 'cleanup-mock-tokens':
      return removed((await request(maintenanceCalls.cleanupMockTokens)).data);
    case 'cleanup-all-invalid-tokens':
      return removed((await request(maintenanceCalls.cleanupInvalidTokens)).data);
    case 'cleanup-recent-tokens':
      return removed((await request(maintenanceCalls.cleanupRecentTokens, { body: { hoursAgo } })).data);
    case 'remove-all-tokens':
      return removed((await request(maintenanceCalls.removeAllTokens)).data);
    case 'force-aggregator-scan':
      return begun((await request(maintenanceCalls.forceAggregatorScan)).data);
    case 'run-multi-source-aggregator':
      return begun((await request(maintenanceCalls.runMultiSourceAggregator, { body: {} })).data);
  }
}

function removed(answer: { message: string; count: number }): Told {
  const { message, count: tokens } = answer;
  return { text: message || `Removed ${count(tokens)} ${tokens === 1 ? 'token' : 'tokens'}.`, started: true };
}

function begun({ message, started }: { message: string; started: boolean }): Told {
  return { text: message, started };
}
