import { FlaskConical, NotebookPen, Radio } from 'lucide-react';
import { type ServerTrading, tradingModeNames } from '../../common/trading/account.ts';
import { Badge, type BadgeTone } from '../ui/badge.tsx';
import { classNames } from '../ui/class-names.ts';

const looks: Record<ServerTrading, { tone: BadgeTone; icon: typeof Radio | null; title: string }> = {
  off: { tone: 'neutral', icon: null, title: 'Trading is switched off on this server.' },
  paper: { tone: 'neutral', icon: NotebookPen, title: 'Nothing is sent: fills are computed from the market.' },
  local: { tone: 'accent', icon: FlaskConical, title: 'Play money on the local Solana chain.' },
  live: { tone: 'warning', icon: Radio, title: 'Real money.' },
};

/** Shows the network of a control that spends money. */
export function ModeBadge({ mode, className }: { mode: ServerTrading; className?: string }) {
  const { tone, icon: Icon, title } = looks[mode];
  return (
    <span title={title} className={classNames('inline-flex', className)}>
      <Badge tone={tone} icon={Icon && <Icon size={12} strokeWidth={1.75} aria-hidden="true" />}>
        {tradingModeNames[mode]}
      </Badge>
    </span>
  );
}
