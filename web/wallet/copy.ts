import { toast } from '../ui/toast-store.ts';

/** Copies a text and shows a toast. `label` names the text in the toast. */
export async function copyToClipboard(text: string, label: 'Public address' | 'Private key'): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // The browser may refuse (no permission, no focus); the user can still select the text.
    toast({ title: 'Error', description: 'Failed to copy to clipboard.', variant: 'destructive' });
    return;
  }
  toast({ title: 'Copied!', description: `${label} copied to clipboard.` });
}
