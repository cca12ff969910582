import { useFormContext, useWatch } from 'react-hook-form';
import type { StrategyType } from '../../common/strategies/model.ts';
import { FieldError } from '../ui/field.tsx';
import { Switch } from '../ui/switch.tsx';
import type { StrategyDraft } from './draft.ts';
import { HolderSection } from './holder-section.tsx';
import { LiquiditySection } from './liquidity-section.tsx';
import { PriceSection } from './price-section.tsx';
import { TimeSection } from './time-section.tsx';

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
  switch (type) {
    case 'time_based':
      return <TimeSection optional={false} />;
    case 'price_based':
      return <PriceSection optional={false} />;
    case 'liquidity_based':
      return <LiquiditySection optional={false} />;
    case 'holder_based':
      return <HolderSection optional={false} />;
    case 'mixed':
      return (
        <>
          <RequireAll />
          <TimeSection optional />
          <PriceSection optional />
          <LiquiditySection optional />
          <HolderSection optional />
        </>
      );
  }
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
