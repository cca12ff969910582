import { CircleAlert, CircleCheck, X } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import { toast as hotToast, resolveValue, useToaster } from 'react-hot-toast/headless';
import { classNames } from './class-names.ts';

/** Functions that end the pause of the shown toast, called before another one replaces it. */
export const pauseEnders = new Set<() => void>();

/**
 * Shows the toast, bottom right; on narrow screens at the top, where no form has its button. Rendered once, beside the
 * pages. F8 moves the focus here, Escape dismisses. The time stands still while the pointer or the focus is in it and
 * while the window is in the background.
 */
export function Toaster() {
  const { toasts, handlers } = useToaster();
  const shown = toasts.find(({ visible }) => visible);
  const region = useRef<HTMLElement>(null);
  const hold = useHold(shown?.id, region, handlers);

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key === 'F8') region.current?.focus();
    // A dialog that closes by this Escape has prevented its default action.
    if (event.key !== 'Escape' || shown === undefined || event.defaultPrevented) return;
    // The page below has a meaning of its own for the key.
    event.preventDefault();
    hotToast.dismiss(shown.id);
  });
  useEffect(() => {
    const handle = (event: KeyboardEvent) => onKey(event);
    document.addEventListener('keydown', handle);
    return () => document.removeEventListener('keydown', handle);
  }, []);

  const card = shown === undefined ? null : resolveValue(shown.message, shown);
  const isUrgent = shown?.ariaProps['aria-live'] === 'assertive';
  return (
    <section
      ref={region}
      tabIndex={-1}
      aria-label="Notifications (F8)"
      className={classNames(
        'fixed right-0 bottom-0 z-60 flex w-full max-w-96 flex-col p-4 outline-none max-md:top-12 max-md:bottom-auto max-md:p-3',
        // A modal dialog switches off the pointer for everything else on the page.
        shown === undefined ? 'pointer-events-none' : 'pointer-events-auto',
      )}
      {...hold}
    >
      {/* Both always on the page: screen readers announce only changes of a live region that they already know. */}
      <div aria-live="polite" aria-atomic="true">
        {!isUrgent && card}
      </div>
      <div aria-live="assertive" aria-atomic="true">
        {isUrgent && card}
      </div>
    </section>
  );
}

/** Pauses the toast with this id while it is in use. Returns the handlers for its region. */
function useHold(
  id: string | undefined,
  region: RefObject<HTMLElement | null>,
  { startPause, endPause }: { startPause: () => void; endPause: () => void },
) {
  const [pointed, setPointed] = useState(false);
  const [focused, setFocused] = useState(false);
  const [inBackground, setInBackground] = useState(false);
  const held = id !== undefined && (pointed || focused || inBackground);
  const pause = useEffectEvent(startPause);
  const resume = useEffectEvent(endPause);

  useEffect(() => {
    const leave = () => setInBackground(true);
    const enter = () => setInBackground(false);
    window.addEventListener('blur', leave);
    window.addEventListener('focus', enter);
    return () => {
      window.removeEventListener('blur', leave);
      window.removeEventListener('focus', enter);
    };
  }, []);

  // Removed elements fire neither pointerleave nor blur, so the state is read again for each toast.
  useEffect(() => {
    setPointed(false);
    setFocused(id !== undefined && region.current?.contains(document.activeElement) === true);
  }, [id, region]);

  // Per toast: a pause that began before a toast existed must not extend it.
  useEffect(() => {
    if (!held || id === undefined) return;
    let isPaused = true;
    const end = () => {
      if (isPaused) resume();
      isPaused = false;
    };
    pause();
    pauseEnders.add(end);
    return () => {
      pauseEnders.delete(end);
      end();
    };
  }, [held, id]);

  return {
    onPointerMove: () => setPointed(true),
    onPointerLeave: () => setPointed(false),
    onFocus: () => setFocused(true),
    onBlur: (event: { relatedTarget: EventTarget | null }) => {
      const inside = event.relatedTarget instanceof Node && region.current?.contains(event.relatedTarget) === true;
      setFocused(inside);
    },
  };
}

export function ToastCard(props: {
  id: string;
  title: string;
  description?: string;
  action?: ReactNode;
  variant?: 'default' | 'destructive';
}) {
  const { id, title, description, action, variant = 'default' } = props;
  const card = useRef<HTMLDivElement>(null);
  const dismiss = () => {
    // The focus would go with the button to the start of the page.
    if (card.current?.contains(document.activeElement)) card.current.closest('section')?.focus();
    hotToast.dismiss(id);
  };
  const failed = variant === 'destructive';
  const Icon = failed ? CircleAlert : CircleCheck;
  return (
    <div
      ref={card}
      data-toast=""
      data-variant={variant}
      className={classNames(
        'flex animate-rise-in items-start gap-3 rounded-lg border bg-raised p-3.5 shadow-raised',
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
        <div className={classNames('font-semibold text-base', failed && 'text-down')}>{title}</div>
        {description !== undefined && <div className="mt-0.5 break-words text-muted text-sm">{description}</div>}
        {action !== undefined && <div className="mt-2">{action}</div>}
      </div>
      <button
        type="button"
        aria-label="Close"
        onClick={dismiss}
        className="-m-1 grid size-7 shrink-0 place-items-center rounded-md text-muted hover:bg-text/6 hover:text-text"
      >
        <X size={16} strokeWidth={1.75} aria-hidden="true" />
      </button>
    </div>
  );
}
