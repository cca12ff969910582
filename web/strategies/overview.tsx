import { ListChecks } from 'lucide-react';
import { strategyCalls } from '../../common/strategies/http.ts';
import { OwnList } from '../auto-buy/own-list.tsx';
import { useUserQuery } from '../live/hooks/use-user-query.ts';
import { Button } from '../ui/button.tsx';
import { StrategyCard } from './strategy-card.tsx';

/** The user's strategies. */
export function Overview({ onNew }: { onNew: () => void }) {
  const query = useUserQuery(strategyCalls.list, {});
  return (
    <OwnList
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
    </OwnList>
  );
}
