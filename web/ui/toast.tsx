import * as RadixToast from '@radix-ui/react-toast';
import { CircleAlert, CircleCheck, X } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { classNames } from './class-names.ts';
import { currentToasts, dismissToast, type ShownToast, subscribeToToasts, TOAST_DURATION_MS } from './toast-store.ts';

/** Shows the toasts, bottom right; on narrow screens at the top, where no form has its button. Once, around nothing. F8 moves the focus here. */
export function Toaster() {
  const toasts = useSyncExternalStore(subscribeToToasts, currentToasts);
  return (
    <RadixToast.Provider duration={TOAST_DURATION_MS} swipeDirection="right" label="Notification">
      {toasts.map((one) => (
        <ToastCard key={one.id} toast={one} />
      ))}
      <RadixToast.Viewport
        hotkey={['F8']}
        label="Notifications ({hotkey})"
        className="fixed right-0 bottom-0 z-60 flex w-full max-w-96 flex-col gap-2 p-4 outline-none max-md:top-12 max-md:bottom-auto max-md:p-3"
      />
    </RadixToast.Provider>
  );
}

function ToastCard({ toast }: { toast: ShownToast }) {
  const failed = toast.variant === 'destructive';
  const Icon = failed ? CircleAlert : CircleCheck;
  return (
    <RadixToast.Root
      open={toast.open}
      onOpenChange={(open) => {
        if (!open) dismissToast(toast.id);
      }}
      type={failed ? 'foreground' : 'background'}
      data-variant={toast.variant ?? 'default'}
      className={classNames(
        'flex animate-rise-in items-start gap-3 rounded-lg border bg-raised p-3.5 shadow-raised',
        'data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x)',
        failed ? 'border-down/50' : 'border-line-strong',
      )}
    >
      <Icon
        size={16}
        strokeWidth={1.75}
        aria-hidden="true"
        className={classNames('mt-[3px] shrink-0', failed ? 'text-down' : 'text-accent')}
      />
      <div className="min-w-0 flex-1">
        <RadixToast.Title className={classNames('font-semibold text-base', failed && 'text-down')}>
          {toast.title}
        </RadixToast.Title>
        {toast.description !== undefined && (
          <RadixToast.Description className="mt-0.5 break-words text-muted text-sm">
            {toast.description}
          </RadixToast.Description>
        )}
        {toast.action !== undefined && <div className="mt-2">{toast.action}</div>}
      </div>
      <RadixToast.Close
        aria-label="Close"
        className="-m-1 grid size-7 shrink-0 place-items-center rounded-md text-muted hover:bg-text/6 hover:text-text"
      >
        <X size={16} strokeWidth={1.75} aria-hidden="true" />
      </RadixToast.Close>
    </RadixToast.Root>
  );
}
