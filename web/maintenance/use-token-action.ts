import { HOURS_AGO_DEFAULT, type Run, removals } from '../../common/maintenance/model.ts';
import { errorText } from '../http/error.ts';
import { useMutation } from '../http/use-mutation.ts';
import { useStore } from '../store.ts';
import { toast } from '../ui/toast-store.ts';
import { refreshTokens, requestAction, type TokenAction, toastTitles } from './token-actions.ts';
import { runOf } from './use-runs.ts';

const ADMIN_HINT = 'Make sure that you are logged in as an admin.';

export interface TokenActionState {
  /** The current or last run, by any administrator; null when there was none. */
  run: Run | null;
  /** Whether it is running, started here or elsewhere. */
  running: boolean;
  /** Whether a running removal prevents it from starting. */
  blocked: boolean;
  /** Starts it and reports the outcome in a toast. `hours` applies to recent tokens only. */
  start: (hours?: number) => Promise<void>;
}

/** Manages one maintenance action. `runs` is undefined until they are known. */
export function useTokenAction(action: TokenAction, runs: readonly Run[] | undefined): TokenActionState {
  const store = useStore();
  const { done, failed } = toastTitles[action];
  const { pending, run: start } = useMutation(
    async (hours: number) => {
      const { text, started } = await requestAction(action, hours);
      toast(
        started ? { title: done, description: text } : { title: failed, description: text, variant: 'destructive' },
      );
      if (removals.has(action)) refreshTokens(store);
    },
    (reason) => {
      const text = errorText(reason, 'Something went wrong.');
      toast({ title: failed, description: `${withPeriod(text)} ${ADMIN_HINT}`, variant: 'destructive' });
    },
  );
  const run = runOf(runs, action);
  const running = pending || run?.state === 'running';
  const blocked = !running && runs?.some((one) => one.state === 'running' && removals.has(one.action)) === true;
  return { run, running, blocked, start: (hours = HOURS_AGO_DEFAULT) => start(hours) };
}

function withPeriod(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
