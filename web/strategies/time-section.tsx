import { useFormContext, useWatch } from 'react-hook-form';
import type { TimeConfig } from '../../common/strategies/model.ts';
import { ConditionSection } from './condition-section.tsx';
import type { StrategyDraft } from './draft.ts';
import { FigureField } from './figure-field.tsx';
import { TimeField } from './time-field.tsx';

const options: Record<TimeConfig['option'], string> = {
  buy_immediately: 'Buy immediately',
  buy_after_duration: 'Buy after a duration',
  buy_at_time: 'Buy at a time',
  buy_within_timeframe: 'Buy within a time frame',
};

/** When, by the clock. `optional`: the strategy may do without. */
export function TimeSection({ optional }: { optional: boolean }) {
  const { control, setValue } = useFormContext<StrategyDraft>();
  const { option, used } = useWatch({ control, name: 'configuration.timeConfig' });
  return (
    <ConditionSection
      title="Time"
      options={options}
      optional={optional}
      chosen={optional && !used ? null : option}
      onChoose={(next) => {
        setValue('configuration.timeConfig.used', next !== null);
        if (next !== null) setValue('configuration.timeConfig.option', next);
      }}
    >
      <OptionFields option={option} />
    </ConditionSection>
  );
}

function OptionFields({ option }: Pick<TimeConfig, 'option'>) {
  switch (option) {
    case 'buy_immediately':
      return null;
    case 'buy_after_duration':
      return (
        <FigureField
          name="configuration.timeConfig.duration"
          label="Duration"
          unit="s"
          hint="From the token's detection on; at least 1 second"
          min={1}
          step={1}
        />
      );
    case 'buy_at_time':
      return <TimeField name="targetTime" label="Target time" hint="In your time zone" />;
    case 'buy_within_timeframe':
      return (
        <>
          <TimeField name="startTime" label="Start time" hint="In your time zone; empty: from now on" />
          <TimeField name="endTime" label="End time" hint="In your time zone; empty: without an end" />
        </>
      );
  }
}
