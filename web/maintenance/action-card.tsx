import { type ReactNode, useId } from 'react';
import { Button } from '../ui/button.tsx';
import { BLOCKED, RunStatus } from './run-status.tsx';
import type { TokenActionState } from './use-token-action.ts';

/** A maintenance action: description, button and progress. */
export function ActionCard(props: {
  title: string;
  text: ReactNode;
  /** Label of the button. */
  verb: string;
  action: TokenActionState;
  /** Gives the button the colour of a destructive action. */
  destructive?: boolean;
  /** An input for the action's parameter. */
  control?: ReactNode;
  onStart: () => void;
}) {
  const {
    title,
    text,
    verb,
    action: { run, running, blocked },
    destructive = false,
    control,
    onStart,
  } = props;
  const id = useId();
  return (
    <article
      aria-labelledby={`${id}-title`}
      className="flex min-w-0 flex-col gap-3 rounded-lg border border-line bg-surface p-4"
    >
      <h3 id={`${id}-title`} className="font-semibold text-base">
        {title}
      </h3>
      <p className="text-muted text-sm">{text}</p>
      {control}
      <div className="mt-auto flex flex-col gap-3">
        <div>
          <Button
            variant={destructive ? 'destructive' : 'secondary'}
            busy={running}
            disabled={blocked}
            aria-describedby={blocked ? `${id}-blocked` : undefined}
            onClick={onStart}
          >
            {verb}
          </Button>
        </div>
        {blocked && (
          <p id={`${id}-blocked`} className="text-muted text-xs">
            {BLOCKED}
          </p>
        )}
        <RunStatus run={run} />
      </div>
    </article>
  );
}
