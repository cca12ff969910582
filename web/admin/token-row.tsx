import { SquareArrowOutUpRight } from 'lucide-react';
import { memo, type ReactNode, useId } from 'react';
import type { Token } from '../../common/tokens/model.ts';
import { nameIsMissing } from '../../common/tokens/names.ts';
import { useLiveMarket } from '../live/live.ts';
import { useAtomValue } from '../store.ts';
import { ExplorerButton } from '../tokens/detail/explorer-button.tsx';
import { detailPath } from '../tokens/links.ts';
import { cleanText, symbolOf } from '../tokens/text.ts';
import { TokenMark } from '../tokens/token-mark.tsx';
import { Badge, type BadgeTone } from '../ui/badge.tsx';
import { buttonClass } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { CopyAddress } from '../ui/copy-address.tsx';
import { count, liquidity, MISSING, marketCap, utcTime } from '../ui/format.ts';

const NAME_MISSING = 'Unknown Token';

/** One token by its address; the feed updates its figures. */
export const TokenRow = memo(function TokenRow({ address }: { address: string }) {
  const token = useAtomValue(useLiveMarket().tokens.atom(address));
  // Removed, or not loaded yet.
  return token === null ? null : <LoadedToken token={token} />;
});

function LoadedToken({ token }: { token: Token }) {
  const headingId = useId();
  const { address, createdAt } = token;
  const name = nameFor(token);
  const symbol = symbolOf(token);
  return (
    <article
      aria-labelledby={headingId}
      className="flex min-w-0 flex-col gap-2 px-4 py-3 min-[87.5rem]:flex-row min-[87.5rem]:items-center min-[87.5rem]:gap-4 min-[87.5rem]:py-2"
    >
      <header className="flex min-w-0 items-center gap-3 min-[87.5rem]:w-80 min-[87.5rem]:shrink-0">
        <TokenMark address={address} />
        <div className="flex min-w-0 flex-col items-start">
          <span className="flex w-full min-w-0 items-center gap-2">
            <h3 id={headingId} className="min-w-0 truncate font-semibold text-sm" title={name}>
              {name}
            </h3>
            {symbol !== null && <span className="max-w-24 shrink-0 truncate text-muted text-xs">{symbol}</span>}
            <RiskBadge scamProbability={token.scamProbability} />
          </span>
          <CopyAddress admin address={address} label="token address" />
        </div>
      </header>
      <dl className="grid min-w-0 grow grid-cols-[auto_auto_auto] gap-x-4 gap-y-1.5 text-sm max-sm:text-xs md:grid-cols-[1fr_1fr_1fr_4rem_8rem]">
        <Figure label="Initial liquidity">{liquidity(token.initialLiquidity)}</Figure>
        <Figure label="Current liquidity">{liquidity(token.currentLiquidity)}</Figure>
        <Figure label="Market cap">{marketCap(token.marketCap)}</Figure>
        <Figure label="Holders">{count(token.holderCount)}</Figure>
        <Figure label="Created">
          {createdAt === null ? (
            MISSING
          ) : (
            <time dateTime={createdAt} title={utcTime(createdAt)}>
              {utcTime(createdAt).slice(0, 16)}
            </time>
          )}
        </Figure>
      </dl>
      <div className="flex shrink-0 flex-wrap gap-2">
        <a
          href={detailPath(address)}
          target="_blank"
          rel="noopener"
          aria-describedby={headingId}
          className={buttonClass('secondary', 'sm')}
        >
          <SquareArrowOutUpRight size={14} strokeWidth={1.75} aria-hidden="true" />
          View Details
        </a>
        <ExplorerButton token={token} label="View on Solscan" size="sm" solscan />
      </div>
    </article>
  );
}

function Figure({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-muted text-xs max-sm:text-2xs min-[87.5rem]:in-[li:not(:first-child)]:sr-only">{label}</dt>
      <dd className="truncate tabular-nums">{children}</dd>
    </div>
  );
}

/** Returns the name to show. Placeholder names count as missing; the fallback omits the address, which is shown beside it. */
function nameFor({ name }: Token): string {
  const shown = name === null ? null : cleanText(name);
  return shown === null || nameIsMissing(shown) ? NAME_MISSING : shown;
}

/** Bounds of the administrators' risk badge, as shares 0–1 (specification, section 4). */
const HIGH_ABOVE = 0.7;
const MEDIUM_ABOVE = 0.4;

/** A token's risk. `scamProbability` is 0–100; null while unknown. */
function RiskBadge({ scamProbability }: { scamProbability: number | null }) {
  if (scamProbability === null) return <Badge className="hatched text-risk-unknown">Risk unknown</Badge>;
  const share = scamProbability / 100;
  const { tone, look } = lookOf(share);
  return (
    <Badge tone={tone} className={classNames('tabular-nums', look)}>
      {Math.round(share * 100)}% Risk
    </Badge>
  );
}

function lookOf(share: number): { tone: BadgeTone; look?: string } {
  if (share > HIGH_ABOVE) return { tone: 'danger' };
  if (share > MEDIUM_ABOVE) return { tone: 'warning' };
  return { tone: 'neutral', look: 'border-risk-low/35 bg-risk-low/10 text-risk-low' };
}
