import { ListPlus } from 'lucide-react';
import type { ReplayPlan } from '../../common/replay/model.ts';
import { ruleCalls } from '../../common/rules/http.ts';
import type { Rule } from '../../common/rules/model.ts';
import { strategyCalls } from '../../common/strategies/http.ts';
import type { Strategy } from '../../common/strategies/model.ts';
import { useUserQuery } from '../live/hooks/use-user-query.ts';
import { Empty } from '../ui/empty.tsx';
import { SelectField } from '../ui/select.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { RuleCopy, StrategyCopy } from './plan-copy.tsx';

/** Chooses a rule or strategy, and lets a copy of it be changed. */
export function PlanPicker({
  plan: chosen,
  onPlan,
  busy,
  onRun,
}: {
  /** Id of a rule or strategy; null, or one that does not exist: the first one. */
  plan: string | null;
  onPlan: (plan: string) => void;
  busy: boolean;
  onRun: (plan: ReplayPlan) => Promise<void>;
}) {
  const loaded = { rules: useUserQuery(ruleCalls.list, {}), strategies: useUserQuery(strategyCalls.list, {}) };
  const rules = loaded.rules.data ?? [];
  const strategies = loaded.strategies.data ?? [];
  if (Object.values(loaded).some(({ data, error }) => data === undefined && error === null))
    return <SkeletonRows rows={2} label="Loading plans" />;
  const options = optionsOf(rules, strategies);
  const id = (options.find(({ value }) => value === chosen) ?? options[0])?.value;
  const rule = rules.find((one) => one.id === id);
  const strategy = strategies.find((one) => one.id === id);
  if (id === undefined) {
    return <Empty icon={ListPlus} title="No rules or strategies yet." text="Create one to run it over this hour." />;
  }
  return (
    <div className="flex flex-col gap-4">
      <SelectField label="Rule or strategy" value={id} options={options} onChange={onPlan} />
      {rule && <RuleCopy key={id} rule={rule} busy={busy} onRun={onRun} />}
      {strategy && <StrategyCopy key={id} strategy={strategy} busy={busy} onRun={onRun} />}
    </div>
  );
}

function optionsOf(rules: readonly Rule[], strategies: readonly Strategy[]) {
  return [
    ...strategies.map(({ id, name }) => ({ value: id, label: `Strategy · ${name}` })),
    ...rules.map(({ id, name }) => ({ value: id, label: `Rule · ${name}` })),
  ];
}
