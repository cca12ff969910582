import { tradingModeNames } from '../../../common/trading/account.ts';
import type { OrderSide } from '../../../common/trading/machine.ts';
import { Card } from '../../ui/card.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import type { NamedToken } from '../format.ts';
import { ModeBadge } from '../mode-badge.tsx';
import { useAccountQuery, useTradingAccount } from '../state/trading.ts';
import type { BuyableFields } from '../unbuyable.ts';
import { TradeFormCard } from './trade-form.tsx';

interface PanelProps {
  token: NamedToken & BuyableFields;
  /** Side at first. */
  side?: OrderSide;
}

/** Buys and sells one token. Renders nothing while the account can't be fetched. */
export function TradePanel({ token, side = 'buy' }: PanelProps) {
  const account = useTradingAccount();
  const { error } = useAccountQuery();
  if (account === null) return error === null ? <Skeleton className="h-80 rounded-lg" /> : null;
  const mode = account.mode ?? 'off';
  return (
    <Card title="Trade" actions={<ModeBadge mode={mode} />}>
      {account.mode === null ? (
        <Notice tone="info">{tradingModeNames.off}: orders can't be placed on this server.</Notice>
      ) : (
        // Another mode has other balances and prices, so nothing entered for one may be sent in another.
        <TradeFormCard key={account.mode} token={token} account={account} mode={account.mode} side={side} />
      )}
    </Card>
  );
}
