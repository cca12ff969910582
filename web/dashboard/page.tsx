import { Coins, Flame, Sparkles, TrendingUp } from 'lucide-react';
import { UserGuideTab } from '../docs/user-guide-tab.tsx';
import { HeaderSlot } from '../layout/header-slot.tsx';
import { usePageTitle } from '../layout/page-title.ts';
import { statsAtom } from '../live/atoms/atoms.ts';
import { pollEvery } from '../live/connection/polling.ts';
import { StaleNote } from '../live/hooks/stale-note.tsx';
import { useList } from '../live/hooks/use-list.ts';
import { useAtomValue } from '../store.ts';
import { BotCard } from '../telegram/bot-card.tsx';
import { BotButton } from '../telegram/bot-link.tsx';
import { BotPanel } from '../telegram/bot-panel.tsx';
import { BlacklistNote } from '../tokens/blacklist-note.tsx';
import { RecentTransactions } from '../transactions/recent-transactions.tsx';
import { count } from '../ui/format.ts';
import { StatCard } from '../ui/stat-card.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { TokenTab } from './token-tab.tsx';
import { RulesCard, WalletCard } from './user-cards.tsx';
import { useWatchedCount, WatchedTab } from './watched-tab.tsx';

/** Shows the market and the user's rules, wallet, watched tokens and latest transactions. */
export default function DashboardPage({ onPaint }: { onPaint?: (address: string) => void }) {
  usePageTitle('Dashboard');
  const stats = useAtomValue(statsAtom);
  // The list of all tokens is not shown here, but opens at once from here, and the specification polls it.
  const newest = useList('newest', pollEvery.dashboard);
  const fresh = useList('fresh', pollEvery.liveLists);
  const runners = useList('runners', pollEvery.liveLists);
  const mightRun = useList('mightRun', pollEvery.liveLists);
  const total = stats?.total ?? newest.total;
  const watched = useWatchedCount();
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <HeaderSlot>
        <BotButton label="Open the bot" />
      </HeaderSlot>
      <BotPanel />
      <div className="grid grid-cols-2 gap-3 max-lg:[&>:last-child:nth-child(odd)]:col-span-2 lg:grid-cols-[repeat(auto-fit,minmax(180px,1fr))]">
        <StatCard
          label="Total Tokens"
          value={total === null ? null : count(total)}
          hint="tracked in all"
          icon={<Coins size={14} strokeWidth={1.75} aria-hidden="true" />}
        />
        <StatCard
          label="New Tokens"
          value={stats === null ? null : count(stats.newLastHour)}
          hint="created in the last hour"
          spark={stats?.launches}
          icon={<Sparkles size={14} strokeWidth={1.75} aria-hidden="true" />}
        />
        <RulesCard />
        <WalletCard />
        <BotCard />
      </div>
      <StaleNote complete={fresh.complete && runners.complete && mightRun.complete} />
      <Tabs
        label="Token lists"
        tabs={[
          {
            id: 'newest',
            label: 'Newest Tokens',
            count: stats?.newLastHour ?? null,
            content: (
              <TokenTab
                label="Newest Tokens"
                list={fresh}
                icon={Sparkles}
                empty="No New Tokens"
                emptyText="Nothing was created in the last hour. A new token appears here the moment it is seen."
                onPaint={onPaint}
              />
            ),
          },
          {
            id: 'runners',
            label: 'Runner Tokens',
            count: stats?.runners ?? (runners.fetchedAt === null ? null : runners.addresses.length),
            content: (
              <TokenTab
                label="Runner Tokens"
                list={runners}
                icon={Flame}
                empty="No Runner Tokens"
                emptyText="A runner is at most an hour old and has a growth score above 30."
                onPaint={onPaint}
              />
            ),
          },
          {
            id: 'might-run',
            label: 'Might Run Tokens',
            count: stats?.mightRun ?? (mightRun.fetchedAt === null ? null : mightRun.addresses.length),
            content: (
              <TokenTab
                label="Might Run Tokens"
                list={mightRun}
                icon={TrendingUp}
                empty={'No "Might Run" Tokens'}
                emptyText="One to two hours old, a market cap of $400K to $1M, and a volume of at least 2.5 times that."
                onPaint={onPaint}
              />
            ),
          },
          {
            id: 'watched',
            label: 'Watched Tokens',
            count: watched,
            content: <WatchedTab onPaint={onPaint} />,
          },
          { id: 'transactions', label: 'Recent Transactions', content: <RecentTransactions /> },
          { id: 'guide', label: 'User Guide', content: <UserGuideTab /> },
        ]}
      />
      <BlacklistNote />
    </div>
  );
}
