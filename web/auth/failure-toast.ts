import { HttpError } from '../http/error.ts';
import { toast } from '../ui/toast-store.ts';

/**
 * Shows a failed login, registration or logout: the server's error text below the title. Without such a text it shows
 * the title alone, as specified.
 */
export function failureToast(title: string, reason: unknown): void {
  const text = reason instanceof HttpError ? reason.serverMessage : null;
  toast({ title, variant: 'destructive', ...(text === null ? {} : { description: text }) });
}
