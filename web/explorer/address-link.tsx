import { Link } from 'wouter';
import { shortAddress } from '../ui/format.ts';
import { programName } from './amounts.ts';

/** Links to an address on this explorer; a known program shows its name. */
export function AddressLink({ address, full = false }: { address: string; full?: boolean }) {
  const name = programName(address);
  return (
    <Link
      href={`/app/explorer/address/${encodeURIComponent(address)}`}
      title={address}
      className={`break-all text-xs underline decoration-line underline-offset-2 hover:decoration-current ${name === null ? 'font-mono' : ''}`}
    >
      {name ?? (full ? address : shortAddress(address))}
    </Link>
  );
}
