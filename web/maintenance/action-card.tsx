import { type ReactNode, useId } from 'react';
import { Button } from '../ui/button.tsx';
import { RunLine } from './run-line.tsx';
import type { UsedAction } from './use-token-action.ts';

/** One work with what it does, its button, and how far it is. */
export function ActionCard({
  title,
  text,
  verb,
  action: { run, running, blocked },
  destructive = false,
  control,
  onStart,
}: {
  title: string;
  text: ReactNode;
  /** What the button says. */
  verb: string;
  action: UsedAction;
  /** It takes everything away: the button itself says so by its colour. */
  destructive?: boolean;
  /** What it needs to know first. */
  control?: ReactNode;
  onStart: () => void;
}) {
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
            Tokens are being removed. This can begin when that has ended.
          </p>
        )}
        <RunLine run={run} />
      </div>
    </article>
  );
}
