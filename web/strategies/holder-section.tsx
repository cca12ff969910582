import { useFormContext, useWatch } from 'react-hook-form';
import type { HolderConfig } from '../../common/strategies/model.ts';
import { ConditionSection } from './condition-section.tsx';
import type { StrategyDraft } from './draft.ts';
import { FigureField } from './figure-field.tsx';

const options: Record<HolderConfig['option'], string> = {
  buy_at_minimum_holders: 'Buy at a minimum of holders',
  buy_at_holder_increase_rate: 'Buy when holders increase',
};

/** When, by the number of holders. `optional`: the strategy may do without. */
export function HolderSection({ optional }: { optional: boolean }) {
  const { control, setValue } = useFormContext<StrategyDraft>();
  const { option, used } = useWatch({ control, name: 'configuration.holderConfig' });
  return (
    <ConditionSection
      title="Holders"
      options={options}
      optional={optional}
      chosen={optional && !used ? null : option}
      onChoose={(next) => {
        setValue('configuration.holderConfig.used', next !== null);
        if (next !== null) setValue('configuration.holderConfig.option', next);
      }}
    >
      <OptionFields option={option} />
    </ConditionSection>
  );
}

function OptionFields({ option }: Pick<HolderConfig, 'option'>) {
  switch (option) {
    case 'buy_at_minimum_holders':
      return (
        <FigureField
          name="configuration.holderConfig.minHolders"
          label="Minimum holders"
          unit="wallets"
          hint="Buys at this many or more; at least 1"
          min={1}
          step={1}
        />
      );
    case 'buy_at_holder_increase_rate':
      return (
        <>
          <FigureField
            name="configuration.holderConfig.increaseRatePercentage"
            label="Increase rate"
            unit="%"
            hint="How far the number of holders has risen; at least 1"
            min={1}
            step={1}
          />
          <FigureField
            name="configuration.holderConfig.monitorDuration"
            label="Monitor duration"
            unit="s"
            hint="Within how long; at least 1 second"
            min={1}
            step={1}
          />
        </>
      );
  }
}
