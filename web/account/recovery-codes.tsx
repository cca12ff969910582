import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { toast } from '../ui/toast-store.ts';

/** Shows new recovery codes, once. */
export function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(codes.join('\n'));
      toast({ title: 'Copied!', description: 'Recovery codes copied to clipboard.' });
    } catch {
      // The browser may refuse (no permission, no focus); the user can still select the text.
      toast({ title: 'Error', description: 'Failed to copy to clipboard.', variant: 'destructive' });
    }
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title="Recovery codes"
      description="Each code replaces one code of your app, once. Keep them where you keep your passwords: they are not shown again."
      footer={
        <>
          <Button onClick={() => void copy()}>Copy codes</Button>
          <Button variant="primary" data-autofocus onClick={onClose}>
            I have saved them
          </Button>
        </>
      }
    >
      <ul aria-label="Recovery codes" className="grid gap-x-4 gap-y-1 font-mono text-sm sm:grid-cols-2">
        {codes.map((code) => (
          <li key={code} className="whitespace-nowrap">
            {code}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
