import * as RadixDialog from '@radix-ui/react-dialog';
import { X } from 'lucide-react';
import { type ReactNode, type SyntheticEvent, useId, useRef } from 'react';
import { Button, type ButtonVariant } from './button.tsx';
import { classNames } from './class-names.ts';

/** Dims the page behind a dialog. */
export const overlayClass = 'fixed inset-0 z-50 animate-fade-in bg-bg/70 backdrop-blur-[1px]';
/** The panel of a dialog: centered, on narrow screens over the whole width. */
export const panelClass = classNames(
  'fixed top-1/2 left-1/2 z-50 flex max-h-[calc(100dvh-24px)] w-[calc(100vw-24px)] -translate-x-1/2 -translate-y-1/2 flex-col',
  'animate-fade-in rounded-lg border border-line-strong bg-raised shadow-raised focus:outline-none',
);

/**
 * A modal dialog. Escape, the cross and a click beside it close it, unless it is `busy`. Focuses the element with
 * `data-autofocus` first, or the cross without one.
 */
export function Dialog(props: {
  open: boolean;
  onClose: () => void;
  title: string;
  description?: ReactNode;
  /** Keeps the dialog open while an action runs. */
  busy?: boolean;
  wide?: boolean;
  /** Buttons below the scrolling content. */
  footer?: ReactNode;
  children: ReactNode;
}) {
  const { open, onClose, title, description, busy = false, wide = false, footer, children } = props;
  const focus = useReturnFocus();
  return (
    <RadixDialog.Root open={open} onOpenChange={(next) => !next && !busy && onClose()}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className={overlayClass} />
        <RadixDialog.Content
          onOpenAutoFocus={(event) => {
            focus.onOpenAutoFocus();
            focusFirst(event);
          }}
          onCloseAutoFocus={focus.onCloseAutoFocus}
          onInteractOutside={ignoreToasts}
          className={classNames(panelClass, wide ? 'max-w-3xl' : 'max-w-lg')}
          {...(description === undefined ? { 'aria-describedby': undefined } : {})}
        >
          <header className="flex items-start justify-between gap-3 border-line border-b px-4 py-3">
            <div className="min-w-0">
              <RadixDialog.Title className="font-semibold text-lg">{title}</RadixDialog.Title>
              {description !== undefined && (
                <RadixDialog.Description className="mt-0.5 text-muted text-sm">{description}</RadixDialog.Description>
              )}
            </div>
            <RadixDialog.Close asChild>
              <Button variant="ghost" size="icon" aria-label="Close" title="Close" disabled={busy}>
                <X size={16} strokeWidth={1.75} aria-hidden="true" />
              </Button>
            </RadixDialog.Close>
          </header>
          <div className="scroll-quiet min-h-0 flex-1 overflow-y-auto p-4">{children}</div>
          {footer !== undefined && (
            <footer className="flex flex-wrap justify-end gap-2 border-line border-t px-4 py-3">{footer}</footer>
          )}
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}

/** A dialog with a form. `verb`: the label of the button that submits it, beside 'Cancel'. */
export function FormDialog({
  onClose,
  onCancel = onClose,
  verb,
  variant = 'primary',
  busy = false,
  onSubmit,
  children,
  ...rest
}: {
  onClose: () => void;
  /** Closes by 'Cancel', which is no accident like Escape or a click outside. By default the same as `onClose`. */
  onCancel?: () => void;
  title: string;
  description?: string;
  verb: ReactNode;
  variant?: ButtonVariant;
  /** Keeps the dialog open while the form is submitted. */
  busy?: boolean;
  onSubmit: (event: SyntheticEvent) => Promise<void>;
  children: ReactNode;
}) {
  const formId = useId();
  return (
    <Dialog
      {...rest}
      open
      onClose={onClose}
      busy={busy}
      footer={
        <>
          <Button onClick={onCancel} disabled={busy}>
            Cancel
          </Button>
          <Button type="submit" form={formId} variant={variant} busy={busy}>
            {verb}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate className="flex flex-col gap-4" onSubmit={(event) => void onSubmit(event)}>
        {children}
      </form>
    </Dialog>
  );
}

/**
 * Returns the focus to the element that had it before a dialog opened: Radix handles only triggers within its own root.
 */
export function useReturnFocus(): { onOpenAutoFocus: () => void; onCloseAutoFocus: (event: Event) => void } {
  const before = useRef<Element | null>(null);
  return {
    onOpenAutoFocus: () => {
      before.current = document.activeElement;
    },
    onCloseAutoFocus: (event) => {
      event.preventDefault();
      if (before.current instanceof HTMLElement) before.current.focus();
    },
  };
}

/** Keeps a dialog open when a toast above it is used. By the card: its list is gone once a click has closed the toast. */
function ignoreToasts(event: Event): void {
  if (event.target instanceof Element && event.target.closest('[data-toast]') !== null) event.preventDefault();
}

function focusFirst(event: Event): void {
  const panel = event.currentTarget;
  const first = panel instanceof HTMLElement ? panel.querySelector('[data-autofocus]') : null;
  if (!(first instanceof HTMLElement)) return;
  event.preventDefault();
  first.focus();
}
