import { Coins, Flame, Sparkles, TrendingUp } from 'lucide-react';
import { UserGuideTab } from '../docs/user-guide-tab.tsx';
import { HeaderSlot } from '../layout/header-slot.tsx';
import { usePageTitle } from '../layout/page-title.ts';
import { statsAtom } from '../live/atoms/atoms.ts';
import { pollEvery } from '../live/connection/polling.ts';
import { StaleNote } from '../live/hooks/stale-note.tsx';
import { type UsedList, useList } from '../live/hooks/use-list.ts';
import { useAtomValue } from '../store.ts';
import { BotButton } from '../telegram/bot-link.tsx';
import { BotPanel } from '../telegram/bot-panel.tsx';
import { useBotStatus } from '../telegram/use-bot-status.ts';
import { BlacklistNote, ListsProblem } from '../tokens/blacklist-note.tsx';
import { usePageSettled } from '../tokens/use-page-settled.ts';
import { QuickSwitch } from '../trading/quick/quick-switch.tsx';
import { RecentTransactions } from '../transactions/recent-transactions.tsx';
import { count } from '../ui/format.ts';
import { StatCard } from '../ui/stat-card.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { TokenTab, type TokenTabTexts } from './token-tab.tsx';
import { BotCard, RulesCard, WalletCard } from './user-cards.tsx';
import { useWatchedCount, WatchedTab } from './watched-tab.tsx';

const tabTexts = {
  newest: {
    label: 'Newest Tokens',
    icon: Sparkles,
    empty: 'No New Tokens',
    emptyText: 'No token was created in the last hour. New ones appear here at once.',
  },
  runners: {
    label: 'Runner Tokens',
    icon: Flame,
    empty: 'No Runner Tokens',
    emptyText: 'A runner is at most an hour old and has a growth score above 30.',
  },
  mightRun: {
    label: 'Might Run Tokens',
    icon: TrendingUp,
    empty: 'No "Might Run" Tokens',
    emptyText: 'One to two hours old, a market cap of $400K to $1M, and a volume of at least 2.5 times that.',
  },
} as const satisfies Record<string, TokenTabTexts>;

/** Shows the market and the user's rules, wallet, watched tokens and latest transactions. */
export default function DashboardPage({ onPaint }: { onPaint?: (address: string) => void }) {
  usePageTitle('Dashboard');
  const stats = useAtomValue(statsAtom);
  const newTokens = useList('new', pollEvery.liveLists);
  const runners = useList('runners', pollEvery.liveLists);
  const mightRun = useList('mightRun', pollEvery.liveLists);
  const watched = useWatchedCount();
  const settled = usePageSettled(useBotStatus().fetched);
  const tokenTab = (id: string, texts: TokenTabTexts, list: UsedList, total: number | null) => ({
    id,
    label: texts.label,
    count: total,
    content: <TokenTab texts={texts} list={list} settled={settled} onPaint={onPaint} />,
  });
  return (
    <div className="flex min-w-0 flex-col gap-3 tight:gap-2 flat:gap-1">
      <HeaderSlot>
        <BotButton label="Open the bot" />
      </HeaderSlot>
      <div className="empty:hidden flat:order-last">
        <BotPanel />
      </div>
      <StatCards />
      <StaleNote complete={newTokens.complete && runners.complete && mightRun.complete} />
      <Tabs
        label="Token lists"
        actions={<QuickSwitch />}
        contentClassName="pt-3 tight:pt-2 flat:pt-1"
        tabs={[
          tokenTab('newest', tabTexts.newest, newTokens, stats?.newLastHour ?? null),
          tokenTab('runners', tabTexts.runners, runners, stats?.runners ?? rowsOf(runners)),
          tokenTab('might-run', tabTexts.mightRun, mightRun, stats?.mightRun ?? rowsOf(mightRun)),
          { id: 'watched', label: 'Watched Tokens', count: watched, content: <WatchedTab onPaint={onPaint} /> },
          { id: 'transactions', label: 'Recent Transactions', content: <RecentTransactions /> },
          { id: 'guide', label: 'User Guide', content: <UserGuideTab /> },
        ]}
      />
      <ListsProblem />
      <BlacklistNote />
    </div>
  );
}

/** Returns the number of rows of a list; null before it is loaded. */
function rowsOf({ fetchedAt, addresses }: UsedList): number | null {
  return fetchedAt === null ? null : addresses.length;
}

function StatCards() {
  const stats = useAtomValue(statsAtom);
  // The list of all tokens is not shown here, but opens at once from here, and the specification polls it.
  const all = useList('all', pollEvery.dashboard);
  const total = stats?.total ?? all.total;
  return (
    <div className="scroll-quiet grid grid-cols-2 gap-3 max-lg:[&>:last-child:nth-child(odd)]:col-span-2 tight:flex tight:gap-2 tight:overflow-x-auto lg:grid-cols-[repeat(auto-fit,minmax(180px,1fr))]">
      <StatCard
        line
        label="Total Tokens"
        value={total === null ? null : count(total)}
        hint="tracked in all"
        icon={<Coins size={14} strokeWidth={1.75} aria-hidden="true" />}
      />
      <StatCard
        line
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
  );
}
