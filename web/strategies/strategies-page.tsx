import { useState } from 'react';
import { useUserId } from '../auth/session.ts';
import { usePageTitle } from '../layout/page-title.ts';
import { Tabs } from '../ui/tabs.tsx';
import { WalletNeeded } from '../wallet/wallet-needed.tsx';
import { Overview } from './overview.tsx';
import { StrategyForm } from './strategy-form.tsx';
import { useStrategyForm } from './use-strategy-form.tsx';

/** The user's buying strategies, and the form that makes one. */
export default function StrategiesPage() {
  usePageTitle('Auto-Buy Strategies');
  const userId = useUserId();
  const [tab, setTab] = useState('overview');
  const form = useStrategyForm({ onCreated: () => setTab('overview') });
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <p className="text-muted text-sm">Create strategies that buy a token when its conditions are met</p>
      <WalletNeeded what="strategies" />
      <Tabs
        label="Strategies"
        tab={tab}
        onTab={setTab}
        tabs={[
          {
            id: 'overview',
            label: 'Overview',
            // Nobody's strategies are asked for.
            content: userId === null ? null : <Overview onNew={() => setTab('create')} />,
          },
          { id: 'create', label: 'Create Strategy', content: <StrategyForm {...form} /> },
        ]}
      />
    </div>
  );
}
