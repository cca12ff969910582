import { Link } from 'wouter';
import type { Exits } from '../../common/trading/account.ts';
import { tradingModeNames } from '../../common/trading/account.ts';
import { exitTexts } from '../../common/trading/exits-text.ts';
import type { Position } from '../../common/trading/position.ts';
import { tokensText } from '../../common/trading/text.ts';
import { detailPath } from '../tokens/links.ts';
import { TokenMark } from '../tokens/token-mark.tsx';
import { symbolOfToken } from '../trading/format.ts';
import { useTradingAccount } from '../trading/state/trading.ts';
import { Badge } from '../ui/badge.tsx';
import { MISSING } from '../ui/format.ts';

/** The token of a position, with its network where it is not the present one, its state, and notes. */
export function TokenCell({ position, notes }: { position: Position; notes?: string[] }) {
  const mode = useTradingAccount()?.mode;
  const { token, status, movedTokens } = position;
  const moved = movedTokens === '0' ? [] : [`${tokensText(movedTokens, token.decimals)} tokens were moved elsewhere`];
  return (
    <span className="flex min-w-0 items-start gap-2.5">
      <TokenMark address={token.address} />
      <span className="min-w-0">
        <span className="flex min-w-0 flex-wrap items-center gap-x-2">
          <Link
            href={detailPath(token.address)}
            title={token.name ?? token.address}
            className="max-w-[18ch] truncate font-medium hover:text-accent"
          >
            <bdi>{symbolOfToken(token)}</bdi>
          </Link>
          {mode !== undefined && position.mode !== mode && <Badge>{tradingModeNames[position.mode]}</Badge>}
          {status === 'closing' && <Badge tone="warning">Selling</Badge>}
          {status === 'stuck' && <Badge tone="danger">Exit stuck</Badge>}
        </span>
        {[...moved, ...(notes ?? [])].map((note) => (
          <span key={note} className="block max-w-[36ch] text-pretty text-muted text-xs">
            {note}
          </span>
        ))}
      </span>
    </span>
  );
}

/** Returns who bought: the user, or the name of a rule or strategy. */
export function originText({ origin: { kind, name } }: Position): string {
  if (kind === 'manual') return 'You';
  return name ?? (kind === 'rule' ? 'A rule' : 'A strategy');
}

/** Exits that a cell shows; more are in its title. */
const EXITS_SHOWN = 2;

/** Returns the exits of a position: `−20 % / +50 %`; a dash without any. `isShort`: two at most, then an ellipsis. */
export function exitsText(exits: Exits, isShort = false): string {
  const texts = exitTexts(exits);
  if (texts.length === 0) return MISSING;
  const isCut = isShort && texts.length > EXITS_SHOWN;
  return isCut ? `${texts.slice(0, EXITS_SHOWN).join(' / ')} …` : texts.join(' / ');
}
