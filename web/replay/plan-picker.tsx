import { useState } from 'react';
import type { ReplayPlan } from '../../common/replay/model.ts';
import { ruleCalls } from '../../common/rules/http.ts';
import type { Rule } from '../../common/rules/model.ts';
import { strategyCalls } from '../../common/strategies/http.ts';
import type { Strategy } from '../../common/strategies/model.ts';
import { useUserQuery } from '../live/hooks/use-user-query.ts';
import { useTradingAccount } from '../trading/state/trading.ts';
import { Button } from '../ui/button.tsx';
import { SelectField } from '../ui/select.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { RuleCopy, StrategyCopy } from './plan-copy.tsx';

const RECORDED = 'recorded';

/** Chooses all plans as they ran on paper, or a copy of one of them, which can be changed. */
export function PlanPicker({ busy, onRun }: { busy: boolean; onRun: (plan: ReplayPlan) => Promise<void> }) {
  const loaded = { rules: useUserQuery(ruleCalls.list, {}), strategies: useUserQuery(strategyCalls.list, {}) };
  const rules = loaded.rules.data ?? [];
  const strategies = loaded.strategies.data ?? [];
  const account = useTradingAccount();
  const [picked, setPicked] = useState<string | null>(null);
  // Orders on a chain are not filled again, so that a run of everything would show none of them.
  const first = account?.mode === 'paper' ? RECORDED : ([...strategies, ...rules][0]?.id ?? RECORDED);
  const chosen = picked ?? first;
  if (Object.values(loaded).some(({ data, error }) => data === undefined && error === null))
    return <SkeletonRows rows={2} label="Loading plans" />;
  const rule = rules.find(({ id }) => id === chosen);
  const strategy = strategies.find(({ id }) => id === chosen);
  return (
    <div className="flex flex-col gap-4">
      <SelectField
        label="Rule or strategy"
        value={rule || strategy ? chosen : RECORDED}
        options={optionsOf(rules, strategies)}
        onChange={setPicked}
      />
      {rule ? (
        <RuleCopy key={rule.id} rule={rule} busy={busy} onRun={onRun} />
      ) : strategy ? (
        <StrategyCopy key={strategy.id} strategy={strategy} busy={busy} onRun={onRun} />
      ) : (
        <div className="flex flex-col gap-3">
          <p className="text-muted text-sm">
            Your rules and strategies, limits and orders on paper as they were in that hour. On paper the result is the
            same as live; orders on a chain are left out.
          </p>
          <Button variant="primary" busy={busy} className="self-start" onClick={() => void onRun({ kind: 'recorded' })}>
            Run
          </Button>
        </div>
      )}
    </div>
  );
}

function optionsOf(rules: readonly Rule[], strategies: readonly Strategy[]) {
  return [
    { value: RECORDED, label: 'All my plans as they ran on paper' },
    ...strategies.map(({ id, name }) => ({ value: id, label: `Strategy · ${name}` })),
    ...rules.map(({ id, name }) => ({ value: id, label: `Rule · ${name}` })),
  ];
}
