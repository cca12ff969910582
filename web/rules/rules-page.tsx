import { ListPlus, Plus } from 'lucide-react';
import { useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { ruleCalls } from '../../common/rules/http.ts';
import { defaultRule, type Rule, type RuleInput } from '../../common/rules/model.ts';
import { CardList } from '../auto-buy/card-list.tsx';
import { usePageTitle } from '../layout/page-title.ts';
import { useUserQuery } from '../live/hooks/use-user-query.ts';
import { Button } from '../ui/button.tsx';
import { WalletNeeded } from '../wallet/wallet-needed.tsx';
import { RuleCard } from './rule-card.tsx';
import { RuleDialog } from './rule-dialog.tsx';
import { useRuleFromToken } from './rule-from-token.ts';

/** The subject of the open dialog: a new rule that starts with `start`, or an existing rule. */
type Opened = { rule: null; start: RuleInput } | { rule: Rule };

/** The user's auto-buy rules. `?from=<token address>` opens a new rule for tokens like that one. */
export default function RulesPage() {
  usePageTitle('Auto-Buy Rules');
  const [opened, setOpened] = useState<Opened | null>(null);
  const [path, navigate] = useLocation();
  const from = new URLSearchParams(useSearch()).get('from');
  useRuleFromToken(from, (start) => setOpened({ rule: null, start }));

  const openNew = () => setOpened({ rule: null, start: defaultRule });
  const close = () => {
    setOpened(null);
    // Otherwise a reload would open the dialog again.
    if (from !== null) navigate(path, { replace: true });
  };
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-muted text-sm">Create automatic purchase rules for tokens</p>
        <Button variant="primary" onClick={openNew}>
          <Plus size={16} strokeWidth={1.75} aria-hidden="true" />
          New Rule
        </Button>
      </div>
      <WalletNeeded what="rules" />
      <Rules onNew={openNew} onEdit={(rule) => setOpened({ rule })} />
      {opened !== null && (
        <RuleDialog rule={opened.rule} start={opened.rule === null ? opened.start : opened.rule} onClose={close} />
      )}
    </div>
  );
}

function Rules({ onNew, onEdit }: { onNew: () => void; onEdit: (rule: Rule) => void }) {
  const query = useUserQuery(ruleCalls.list, {});
  return (
    <CardList
      query={query}
      heading="Your Auto-Buy Rules"
      columns="md:grid-cols-2"
      loading="Loading Rules"
      problem="Rules could not be loaded"
      empty={{
        icon: ListPlus,
        title: 'No Rules',
        text: "You haven't created any auto-buy rules yet",
        action: (
          <Button variant="primary" onClick={onNew}>
            Create Your First Rule
          </Button>
        ),
      }}
    >
      {(rule) => <RuleCard key={rule.id} rule={rule} onEdit={() => onEdit(rule)} />}
    </CardList>
  );
}
