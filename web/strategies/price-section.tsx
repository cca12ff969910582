import { useFormContext, useWatch } from 'react-hook-form';
import type { PriceConfig } from '../../common/strategies/model.ts';
import { ConditionSection } from './condition-section.tsx';
import type { StrategyDraft } from './draft.ts';
import { FigureField } from './figure-field.tsx';

const options: Record<PriceConfig['option'], string> = {
  buy_at_fixed_price: 'Buy at a fixed price',
  buy_at_percentage_from_low: 'Buy at a percentage from the low',
  buy_at_uptrend: 'Buy in an uptrend',
  buy_at_downtrend: 'Buy in a downtrend',
};

/** When, by the price. `optional`: the strategy may do without. */
export function PriceSection({ optional }: { optional: boolean }) {
  const { control, setValue } = useFormContext<StrategyDraft>();
  const { option, used } = useWatch({ control, name: 'configuration.priceConfig' });
  return (
    <ConditionSection
      title="Price"
      options={options}
      optional={optional}
      chosen={optional && !used ? null : option}
      onChoose={(next) => {
        setValue('configuration.priceConfig.used', next !== null);
        if (next !== null) setValue('configuration.priceConfig.option', next);
      }}
    >
      <OptionFields option={option} />
    </ConditionSection>
  );
}

function OptionFields({ option }: Pick<PriceConfig, 'option'>) {
  switch (option) {
    case 'buy_at_fixed_price':
      return (
        <FigureField
          name="configuration.priceConfig.targetPrice"
          label="Target price"
          unit="SOL"
          hint="Buys at this price or below; at least 0.000001"
          min={0.000001}
          step={0.000001}
        />
      );
    case 'buy_at_percentage_from_low':
      return (
        <FigureField
          name="configuration.priceConfig.percentageFromLow"
          label="Percentage from low"
          unit="%"
          hint="Above the lowest price since detection; 1 to 100"
          min={1}
          max={100}
          step={1}
        />
      );
    case 'buy_at_uptrend':
    case 'buy_at_downtrend':
      return (
        <>
          <FigureField
            name="configuration.priceConfig.trendPercentage"
            label="Trend percentage"
            unit="%"
            hint={`How far the price has ${option === 'buy_at_uptrend' ? 'risen' : 'fallen'}; at least 0.1`}
            min={0.1}
            step={0.1}
          />
          <FigureField
            name="configuration.priceConfig.trendDuration"
            label="Trend duration"
            unit="s"
            hint="Within how long; at least 1 second"
            min={1}
            step={1}
          />
        </>
      );
  }
}
