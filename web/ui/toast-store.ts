import { createElement, type ReactNode } from 'react';
import { toast as hotToast } from 'react-hot-toast/headless';
import { pauseEnders, ToastCard } from './toast.tsx';

/** A toast is shown for 5 s, and removed from the store 1,000,000 ms after it was dismissed (specification, section 9). */
const TOAST_DURATION_MS = 5000;
const TOAST_REMOVE_DELAY_MS = 1_000_000;

export interface ToastMessage {
  title: string;
  description?: string;
  variant?: 'default' | 'destructive';
  /** A button, e.g. 'Try again'. */
  action?: ReactNode;
}

/** Shows a message in place of the previous one. Callable from anywhere, also outside React. Returns its id. */
export function toast(message: ToastMessage): string {
  // A pause of the previous toast ends first, or the library would add its length to the new one.
  for (const endPause of pauseEnders) endPause();
  hotToast.removeAll();
  const urgent = message.variant === 'destructive';
  return hotToast(({ id }) => createElement(ToastCard, { key: id, id, ...message }), {
    duration: TOAST_DURATION_MS,
    removeDelay: TOAST_REMOVE_DELAY_MS,
    ariaProps: { role: urgent ? 'alert' : 'status', 'aria-live': urgent ? 'assertive' : 'polite' },
  });
}

export function dismissToast(id: string): void {
  hotToast.dismiss(id);
}

export function clearToasts(): void {
  hotToast.removeAll();
}
