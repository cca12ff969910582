import type { TradingAccount } from '../../../common/trading/account.ts';
import { reason, reasonText } from '../../../common/trading/reasons.ts';
import { Card } from '../../ui/card.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useAccountQuery, useTradingAccount } from '../state/trading.ts';
import { BotCard } from './bot-card.tsx';
import { DefaultsCard } from './defaults-card.tsx';
import { LimitsCard } from './limits-card.tsx';
import { ModeCard } from './mode-card.tsx';
import { ProtectionsCard } from './protections-card.tsx';

/** Mode, limits, protections, presets, exits and costs of the user's trading. */
export function TradingTab() {
  const account = useTradingAccount();
  const { error, loading, reload } = useAccountQuery();
  if (account !== null) return <TradingSettings account={account} />;
  if (error === null) return <Skeleton className="h-64 rounded-lg" />;
  return (
    <Card flush>
      <Problem title="Trading settings could not be loaded" text={error} onRetry={reload} busy={loading} />
    </Card>
  );
}

function TradingSettings({ account }: { account: TradingAccount }) {
  return (
    <div className="flex flex-col gap-3">
      {account.mode === null ? (
        <Notice tone="info">{reasonText(reason('trading-off'))} What you set here counts once it is on.</Notice>
      ) : (
        <ModeCard account={account} mode={account.mode} />
      )}
      <LimitsCard account={account} />
      <ProtectionsCard account={account} />
      <DefaultsCard account={account} />
      <BotCard account={account} />
    </div>
  );
}
