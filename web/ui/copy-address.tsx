import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { classNames } from './class-names.ts';
import { copyText } from './clipboard.ts';
import { adminAddress, MISSING, shortAddress } from './format.ts';

/** Duration of the tick after copying, ms. */
const COPIED_MS = 1500;

/** Shows a shortened address; a click copies all of it. */
export function CopyAddress(props: {
  address: string | null;
  /** Name of the address for screen readers: 'creator address'. */
  label?: string;
  /** Shows the whole address, wrapped. */
  full?: boolean;
  /** Shortens it less, for administrators' pages. */
  admin?: boolean;
  className?: string;
}) {
  const { address, label = 'address', full = false, admin = false, className } = props;
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), COPIED_MS);
    return () => clearTimeout(timer);
  }, [copied]);

  if (address === null) return <span className="text-muted">{MISSING}</span>;

  async function copy(text: string): Promise<void> {
    if (await copyText(text)) setCopied(true);
  }

  const shown = full ? (all: string) => all : admin ? adminAddress : shortAddress;
  const Icon = copied ? Check : Copy;
  return (
    <button
      type="button"
      title={address}
      aria-label={copied ? `Copied ${label}` : `Copy ${label} ${address}`}
      onClick={() => void copy(address)}
      className={classNames(
        'group inline-flex max-w-full items-center gap-1.5 rounded-sm text-left font-mono text-muted text-xs transition-colors hover:text-text',
        className,
      )}
    >
      <span className={full ? 'break-all' : 'truncate'}>{shown(address)}</span>
      <Icon
        size={12}
        strokeWidth={1.75}
        aria-hidden="true"
        className={classNames('shrink-0', copied ? 'text-accent' : 'opacity-60 group-hover:opacity-100')}
      />
    </button>
  );
}
