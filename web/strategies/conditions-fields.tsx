import { useFormContext, useWatch } from 'react-hook-form';
import { type StrategyType, sectionOf } from '../../common/strategies/model.ts';
import { FieldError } from '../ui/field.tsx';
import { Switch } from '../ui/switch.tsx';
import { ConditionSection } from './condition-section.tsx';
import type { StrategyDraft } from './draft.ts';

/** The conditions of the strategy's type: one section, or all four of a mixed strategy and how they are joined. */
export function ConditionsFields({ type }: { type: StrategyType }) {
  const { formState } = useFormContext<StrategyDraft>();
  const { message } = formState.errors.configuration ?? {};
  return (
    <div className="flex flex-col gap-3">
      <Sections type={type} />
      {typeof message === 'string' && <FieldError id="configuration-error">{message}</FieldError>}
    </div>
  );
}

function Sections({ type }: { type: StrategyType }) {
  if (type !== 'mixed') return <ConditionSection key={type} name={sectionOf[type]} optional={false} />;
  return (
    <>
      <RequireAll />
      {Object.values(sectionOf).map((name) => (
        <ConditionSection key={name} name={name} optional />
      ))}
    </>
  );
}

function RequireAll() {
  const { control, setValue } = useFormContext<StrategyDraft>();
  const all = useWatch({ control, name: 'configuration.requireAllConditions' });
  return (
    <Switch
      label="Require all conditions"
      hint={all ? 'On: all conditions must be met to buy.' : 'Off: any one condition triggers a buy.'}
      checked={all}
      onChange={(next) => setValue('configuration.requireAllConditions', next)}
    />
  );
}
