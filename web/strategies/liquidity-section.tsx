import { useFormContext, useWatch } from 'react-hook-form';
import type { LiquidityConfig } from '../../common/strategies/model.ts';
import { ConditionSection } from './condition-section.tsx';
import type { StrategyDraft } from './draft.ts';
import { FigureField } from './figure-field.tsx';

const options: Record<LiquidityConfig['option'], string> = {
  buy_at_minimum_liquidity: 'Buy at a minimum liquidity',
  buy_at_liquidity_increase: 'Buy when liquidity increases',
  buy_at_liquidity_decrease: 'Buy when liquidity decreases',
};

/** When, by the liquidity. `optional`: the strategy may do without. */
export function LiquiditySection({ optional }: { optional: boolean }) {
  const { control, setValue } = useFormContext<StrategyDraft>();
  const { option, used } = useWatch({ control, name: 'configuration.liquidityConfig' });
  return (
    <ConditionSection
      title="Liquidity"
      options={options}
      optional={optional}
      chosen={optional && !used ? null : option}
      onChoose={(next) => {
        setValue('configuration.liquidityConfig.used', next !== null);
        if (next !== null) setValue('configuration.liquidityConfig.option', next);
      }}
    >
      <OptionFields option={option} />
    </ConditionSection>
  );
}

function OptionFields({ option }: Pick<LiquidityConfig, 'option'>) {
  switch (option) {
    case 'buy_at_minimum_liquidity':
      return (
        <FigureField
          name="configuration.liquidityConfig.targetLiquidity"
          label="Target liquidity"
          unit="SOL"
          hint="Buys at this liquidity or above; at least 0.1"
          min={0.1}
          step={0.1}
        />
      );
    case 'buy_at_liquidity_increase':
    case 'buy_at_liquidity_decrease':
      return (
        <>
          <FigureField
            name="configuration.liquidityConfig.percentageChange"
            label="Percentage change"
            unit="%"
            hint={`How far it has ${option === 'buy_at_liquidity_increase' ? 'risen' : 'fallen'}; at least 1`}
            min={1}
            step={1}
          />
          <FigureField
            name="configuration.liquidityConfig.monitorDuration"
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
