import { Copy } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../ui/button.tsx';

/** Placeholder for a masked key. */
const MASK = '•'.repeat(32);

/** A labelled address or key with a copy button. */
export function CopyLine(props: {
  label: 'Public address' | 'Private key';
  /** Null shows a mask. */
  text: string | null;
  masked?: boolean;
  onCopy: () => void;
  actions?: ReactNode;
}) {
  const { label, text, masked = false, onCopy, actions } = props;
  const hidden = masked || text === null;
  return (
    <div className="min-w-0">
      <div className="flex min-h-7 flex-wrap items-center justify-between gap-x-2">
        <span className="font-medium text-muted text-xs">{label}</span>
        <span className="flex items-center gap-1">
          {actions}
          <Button variant="ghost" size="sm" aria-label={`Copy ${label.toLowerCase()}`} onClick={onCopy}>
            <Copy size={14} strokeWidth={1.75} aria-hidden="true" />
            Copy
          </Button>
        </span>
      </div>
      <p className="mt-1 min-h-9 break-all rounded-md border border-line bg-bg px-3 py-2 font-mono text-sm">
        {hidden ? (
          <>
            <span aria-hidden="true">{MASK}</span>
            <span className="sr-only">hidden</span>
          </>
        ) : (
          text
        )}
      </p>
    </div>
  );
}
