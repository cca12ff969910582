import * as RadixAlert from '@radix-ui/react-alert-dialog';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { classNames } from './class-names.ts';
import { overlayClass, panelClass, useReturnFocus } from './dialog.tsx';

/** Asks before something that can't be undone: names the consequence, with the verb on the button. */
export function Confirm(props: {
  open: boolean;
  /** The question. */
  title: string;
  /** The consequence. */
  children?: ReactNode;
  /** Label of the button, e.g. `Delete`. */
  verb: string;
  onConfirm: () => void;
  onCancel: () => void;
  /** Keeps the question open while the action runs. */
  busy?: boolean;
  destructive?: boolean;
}) {
  const { open, title, children, verb, onConfirm, onCancel, busy = false, destructive = true } = props;
  const focus = useReturnFocus();
  return (
    <RadixAlert.Root open={open} onOpenChange={(next) => !next && !busy && onCancel()}>
      <RadixAlert.Portal>
        <RadixAlert.Overlay className={overlayClass} />
        <RadixAlert.Content className={classNames(panelClass, 'max-w-md gap-4 p-4')} {...focus}>
          <div className="scroll-quiet min-h-0 overflow-y-auto">
            <RadixAlert.Title className="font-semibold text-lg">{title}</RadixAlert.Title>
            <RadixAlert.Description asChild>
              <div className={children === undefined ? 'sr-only' : 'mt-2 text-muted text-sm'}>{children ?? title}</div>
            </RadixAlert.Description>
          </div>
          <div className="flex flex-wrap justify-end gap-2">
            <RadixAlert.Cancel asChild>
              <Button disabled={busy}>Cancel</Button>
            </RadixAlert.Cancel>
            <Button variant={destructive ? 'destructive' : 'primary'} busy={busy} onClick={onConfirm}>
              {verb}
            </Button>
          </div>
        </RadixAlert.Content>
      </RadixAlert.Portal>
    </RadixAlert.Root>
  );
}
