import type { ReactNode } from 'react';

/** Only one toast is shown at a time, for 5 s; a dismissed one is forgotten after 1,000,000 ms (specification, section 9). */
export const TOAST_LIMIT = 1;
export const TOAST_DURATION_MS = 5000;
export const TOAST_REMOVE_DELAY_MS = 1_000_000;

export type ToastVariant = 'default' | 'destructive';

export interface ToastMessage {
  title: string;
  description?: string;
  variant?: ToastVariant;
  /** A button, e.g. 'Try again'. */
  action?: ReactNode;
}

export interface ShownToast extends ToastMessage {
  id: number;
  open: boolean;
}

let toasts: readonly ShownToast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();
const removals = new Map<number, ReturnType<typeof setTimeout>>();

/** Shows a message, in place of the one before. Callable from anywhere, also outside React. Returns its id. */
export function toast(message: ToastMessage): number {
  lastId += 1;
  change([{ ...message, id: lastId, open: true }, ...toasts].slice(0, TOAST_LIMIT));
  return lastId;
}

/** Closes a toast; it stays known, closed, until its removal, so that its way out can be animated. */
export function dismissToast(id: number): void {
  change(toasts.map((one) => (one.id === id ? { ...one, open: false } : one)));
  if (removals.has(id) || !toasts.some((one) => one.id === id)) return;
  removals.set(
    id,
    setTimeout(() => {
      removals.delete(id);
      change(toasts.filter((one) => one.id !== id));
    }, TOAST_REMOVE_DELAY_MS),
  );
}

/** Forgets everything at once. */
export function clearToasts(): void {
  change([]);
}

export function currentToasts(): readonly ShownToast[] {
  return toasts;
}

export function subscribeToToasts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function change(next: readonly ShownToast[]): void {
  toasts = next;
  // A toast that was pushed out by a newer one needs no removal any more.
  for (const [id, timer] of removals) {
    if (!next.some((one) => one.id === id)) {
      clearTimeout(timer);
      removals.delete(id);
    }
  }
  for (const listener of listeners) listener();
}
