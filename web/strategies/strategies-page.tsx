import { ListChecks } from 'lucide-react';
import { useState } from 'react';
import { strategyCalls } from '../../common/strategies/http.ts';
import { useUserId } from '../auth/session.ts';
import { CardList } from '../auto-buy/card-list.tsx';
import { usePageTitle } from '../layout/page-title.ts';
import { useUserQuery } from '../live/hooks/use-user-query.ts';
import { Button } from '../ui/button.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { WalletNeeded } from '../wallet/wallet-needed.tsx';
import { StrategyCard } from './strategy-card.tsx';
import { StrategyForm } from './strategy-form.tsx';
import { useStrategyForm } from './use-strategy-form.tsx';

/** The user's buying strategies, and the form that creates one. */
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
            // Without a user there is no list to fetch.
            content: userId === null ? null : <Strategies onNew={() => setTab('create')} />,
          },
          { id: 'create', label: 'Create Strategy', content: <StrategyForm {...form} /> },
        ]}
      />
    </div>
  );
}

function Strategies({ onNew }: { onNew: () => void }) {
  const query = useUserQuery(strategyCalls.list, {});
  return (
    <CardList
      query={query}
      heading="Your Auto-Buy Strategies"
      columns="md:grid-cols-2 xl:grid-cols-3"
      loading="Loading strategies…"
      problem="Strategies could not be loaded"
      empty={{
        icon: ListChecks,
        title: 'No Strategies',
        text: "You haven't created any auto-buy strategies yet",
        action: (
          <Button variant="primary" onClick={onNew}>
            Create Your First Strategy
          </Button>
        ),
      }}
    >
      {(strategy) => <StrategyCard key={strategy.id} strategy={strategy} />}
    </CardList>
  );
}
