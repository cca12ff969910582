import { toast } from './toast-store.ts';

/** Copies a text. Resolves with whether it did; a failure shows in a toast. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // The browser may refuse (no permission, no focus); the user can still select the text.
    toast({ title: 'Error', description: 'Failed to copy to clipboard.', variant: 'destructive' });
    return false;
  }
}

/** Copies a text and shows the outcome in a toast. `label`: its name in the toast. */
export async function copyToClipboard(text: string, label: string): Promise<void> {
  if (await copyText(text)) toast({ title: 'Copied!', description: `${label} copied to clipboard.` });
}
