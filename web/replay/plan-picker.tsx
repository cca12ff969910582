import type { ReplayPlan } from '../../common/replay/model.ts';
import { ruleCalls } from '../../common/rules/http.ts';
import type { Rule } from '../../common/rules/model.ts';
import { strategyCalls } from '../../common/strategies/http.ts';
import type { Strategy } from '../../common/strategies/model.ts';
import { useUserQuery } from '../live/hooks/use-user-query.ts';
import { Button } from '../ui/button.tsx';
import { SelectField } from '../ui/select.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { RuleCopy, StrategyCopy } from './plan-copy.tsx';

const RECORDED = 'recorded';

/** Chooses all plans as they were, or a copy of one of them, which can be changed. */
export function PlanPicker({
  plan: chosen,
  onPlan,
  busy,
  onRun,
}: {
  /** Id of a rule or strategy; null, or one that does not exist: all plans. */
  plan: string | null;
  onPlan: (plan: string | null) => void;
  busy: boolean;
  onRun: (plan: ReplayPlan) => Promise<void>;
}) {
  const loaded = { rules: useUserQuery(ruleCalls.list, {}), strategies: useUserQuery(strategyCalls.list, {}) };
  const rules = loaded.rules.data ?? [];
  const strategies = loaded.strategies.data ?? [];
  if (Object.values(loaded).some(({ data, error }) => data === undefined && error === null))
    return <SkeletonRows rows={2} label="Loading plans" />;
  const rule = rules.find(({ id }) => id === chosen);
  const strategy = strategies.find(({ id }) => id === chosen);
  return (
    <div className="flex flex-col gap-4">
      <SelectField
        label="Rule or strategy"
        value={rule?.id ?? strategy?.id ?? RECORDED}
        options={optionsOf(rules, strategies)}
        onChange={(picked) => onPlan(picked === RECORDED ? null : picked)}
      />
      {rule ? (
        <RuleCopy key={rule.id} rule={rule} busy={busy} onRun={onRun} />
      ) : strategy ? (
        <StrategyCopy key={strategy.id} strategy={strategy} busy={busy} onRun={onRun} />
      ) : (
        <div className="flex flex-col gap-3">
          <p className="text-muted text-sm">
            Your rules and strategies with their limits and lists as they were in that hour. Orders on paper give the
            same result as live. Where orders were on a chain, the plans are run again on paper, with play money.
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
    { value: RECORDED, label: 'All my plans as they were' },
    ...strategies.map(({ id, name }) => ({ value: id, label: `Strategy · ${name}` })),
    ...rules.map(({ id, name }) => ({ value: id, label: `Rule · ${name}` })),
  ];
}
