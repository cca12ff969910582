import { HttpError } from '../http/error.ts';
import { toast } from '../ui/toast-store.ts';

/**
 * Tells of a failed login, registration or logout: the server's error text below the title. An answer without one says
 * no more than the title does, which is the specification's fallback.
 */
export function failureToast(title: string, reason: unknown): void {
  const text = reason instanceof HttpError ? reason.serverMessage : null;
  toast({ title, variant: 'destructive', ...(text === null ? {} : { description: text }) });
}
