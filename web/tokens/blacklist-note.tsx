import { Ban, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import type { Token } from '../../common/tokens/model.ts';
import { watchlistCalls } from '../../common/watchlists/http.ts';
import { useUserQuery } from '../live/hooks/use-user-query.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Empty } from '../ui/empty.tsx';
import { count, shortAddress } from '../ui/format.ts';
import { useChangeList } from '../watchlists/change-list.tsx';
import { useBlacklist, useListsError } from '../watchlists/lists.ts';
import { detailPath } from './links.ts';
import { nameOf, symbolOf } from './text.ts';
import { TokenMark } from './token-mark.tsx';

/** Number of tokens at first, and added by 'Show more'. */
const SHOWN_STEP = 50;

/** Says that the user's lists are missing, with a retry; renders nothing while they are there. */
export function ListsProblem() {
  const error = useListsError();
  if (error === null) return null;
  return (
    <p role="alert" className="flex flex-wrap items-center gap-2 text-muted text-xs">
      Your lists could not be loaded, so blacklisted tokens may be shown: {error.text}
      <Button size="sm" onClick={error.retry} busy={error.busy}>
        Retry
      </Button>
    </p>
  );
}

/**
 * Shows the number of blacklisted tokens and opens their list; renders nothing without any. `brief`: the number alone on
 * narrow screens, where its words would take another line.
 */
export function BlacklistNote({ brief = false }: { brief?: boolean }) {
  const black = useBlacklist();
  const [open, setOpen] = useState(false);
  // The dialog stays open when the last token is removed in it.
  if (black.size === 0 && !open) return null;
  const words = `blacklisted ${black.size === 1 ? 'token is' : 'tokens are'} hidden`;
  return (
    <>
      <button
        type="button"
        title={brief ? `${count(black.size)} ${words}` : undefined}
        onClick={() => setOpen(true)}
        className="inline-flex min-h-7 items-center gap-1.5 rounded-sm text-left text-muted text-xs tabular-nums transition-colors hover:text-text"
      >
        <EyeOff size={14} strokeWidth={1.75} aria-hidden="true" className="shrink-0" />
        {count(black.size)} <span className={brief ? 'max-md:sr-only' : undefined}>{words}</span>
      </button>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title="Blacklisted tokens"
        description="They are hidden from your lists and never bought for you."
      >
        <Blacklisted addresses={[...black]} />
      </Dialog>
    </>
  );
}

function Blacklisted({ addresses }: { addresses: readonly string[] }) {
  const { data: tokens } = useUserQuery(watchlistCalls.tokens, { params: { list: 'black' } });
  const [shown, setShown] = useState(SHOWN_STEP);
  if (addresses.length === 0) {
    return <Empty icon={Ban} title="No token is blacklisted" className="py-6" />;
  }
  const known = new Map(tokens?.map((token) => [token.address, token]));
  return (
    <>
      <ul className="-my-2 divide-y divide-line">
        {addresses.slice(0, shown).map((address) => (
          <BlacklistedToken key={address} address={address} token={known.get(address)} gone={tokens !== undefined} />
        ))}
      </ul>
      {addresses.length > shown && (
        <div className="mt-4 text-center">
          <Button size="sm" onClick={() => setShown((before) => before + SHOWN_STEP)}>
            Show more
          </Button>
        </div>
      )}
    </>
  );
}

/** `gone`: a missing token is no longer stored, rather than still loading. */
function BlacklistedToken(props: { address: string; token: Token | undefined; gone: boolean }) {
  const { address, token, gone } = props;
  const change = useChangeList();
  const name = token === undefined ? shortAddress(address) : nameOf(token);
  const symbol = token === undefined ? null : symbolOf(token);
  return (
    <li className="flex min-h-12 items-center gap-2.5 py-2">
      <TokenMark address={address} />
      <span className="flex min-w-0 flex-1 flex-col leading-tight">
        {token === undefined ? (
          <span className="truncate font-mono text-xs">{name}</span>
        ) : (
          <Link href={detailPath(address)} className="truncate font-medium text-sm hover:underline">
            <bdi>{name}</bdi>
          </Link>
        )}
        <span className="truncate text-2xs text-muted">
          {token === undefined ? gone && 'No longer kept' : <bdi>{symbol ?? shortAddress(address)}</bdi>}
        </span>
      </span>
      <Button
        size="sm"
        aria-label={`Remove ${name} from Blacklist`}
        onClick={() => change({ list: 'black', address, on: false })}
      >
        Remove
      </Button>
    </li>
  );
}
