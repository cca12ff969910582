import { OctagonX, Play } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { counted } from '../../../common/counted.ts';
import type { TradingAccount, TradingMode } from '../../../common/trading/account.ts';
import { Button } from '../../ui/button.tsx';
import { MISSING } from '../../ui/format.ts';
import { Tooltip } from '../../ui/tooltip.tsx';
import { shortSol } from '../format.ts';
import { ModeBadge } from '../mode-badge.tsx';
import { useOpenPositions, useTradingAccount } from '../state/trading.ts';
import { totalsOf } from '../totals.ts';
import { StopDialog } from './stop-dialog.tsx';
import { StopReportDialog } from './stop-report-dialog.tsx';
import { ResumeButton } from './stopped-banner.tsx';

/** Shows the network of trading, the open positions with their value, and the button that stops buying. */
export function TradingControls() {
  const account = useTradingAccount();
  if (account === null) return null;
  if (account.mode === null) return <ModeBadge mode="off" className="max-md:hidden" />;
  return (
    <>
      <OpenPositions mode={account.mode} />
      <StopControl account={account} />
    </>
  );
}

function OpenPositions({ mode }: { mode: TradingMode }) {
  const positions = useOpenPositions();
  const { count, valueLamports, unknown } = totalsOf(positions ?? [], mode);
  const value = valueLamports === null ? MISSING : `${shortSol(valueLamports)} SOL`;
  const title = `${counted(count, 'open position')}; a sale of all would return ${value} now${
    unknown > 0 ? `, without ${unknown} of unknown value` : ''
  }.`;
  return (
    <Link
      href="/app/positions"
      title={title}
      className="flex items-center gap-2 rounded-md text-muted text-xs tabular-nums hover:text-text max-md:hidden"
    >
      <ModeBadge mode={mode} />
      {positions !== null && (
        <span className="max-lg:hidden">
          <span className="font-medium text-text">{count}</span> open
          {count > 0 && ` · ${value}`}
        </span>
      )}
    </Link>
  );
}

function StopControl({ account }: { account: TradingAccount }) {
  const [open, setOpen] = useState<'confirm' | 'report' | null>(null);
  const isStopped = account.stopped !== null;
  useStopKey(() => setOpen((now) => now ?? (isStopped ? 'report' : 'confirm')));
  return (
    <>
      {isStopped ? (
        <ResumeButton>
          <Play size={14} strokeWidth={1.75} aria-hidden="true" />
          Resume
        </ResumeButton>
      ) : (
        <Tooltip content="Stop buying (Shift+Esc)">
          <Button size="sm" aria-keyshortcuts="Shift+Escape" onClick={() => setOpen('confirm')}>
            <OctagonX size={14} strokeWidth={1.75} aria-hidden="true" className="text-down" />
            Stop
          </Button>
        </Tooltip>
      )}
      {open === 'confirm' && (
        <StopDialog account={account} onClose={() => setOpen(null)} onStopped={() => setOpen('report')} />
      )}
      {open === 'report' && <StopReportDialog onClose={() => setOpen(null)} />}
    </>
  );
}

/** Calls `onStop` for Shift+Esc on every page, before a dialog or a list takes the Escape. */
function useStopKey(onStop: () => void): void {
  useEffect(() => {
    function onKey(event: KeyboardEvent): void {
      if (event.key !== 'Escape' || !event.shiftKey) return;
      event.preventDefault();
      event.stopPropagation();
      onStop();
    }
    window.addEventListener('keydown', onKey, { capture: true });
    return () => window.removeEventListener('keydown', onKey, { capture: true });
  });
}
