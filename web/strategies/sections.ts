import type { FieldPathByValue } from 'react-hook-form';
import type { Configuration } from '../../common/strategies/model.ts';
import type { StrategyDraft } from './draft.ts';

export type SectionName = Exclude<keyof Configuration, 'requireAllConditions'>;
type OptionOf<Name extends SectionName> = NonNullable<Configuration[Name]>['option'];
export type AnyOption = OptionOf<SectionName>;

/** A number field of an option. `min` and `max` are hints. */
interface NumberSpec {
  kind: 'number';
  name: FieldPathByValue<StrategyDraft, number | undefined>;
  label: string;
  unit: string;
  hint: string;
  min: number;
  max?: number;
  step: number;
}

/** A time field of an option. */
interface TimeSpec {
  kind: 'time';
  name: FieldPathByValue<StrategyDraft['configuration']['timeConfig'], string | undefined>;
  label: string;
  hint: string;
}

export interface OptionForm {
  label: string;
  /** Fields shown while the option is selected. */
  fields: readonly (NumberSpec | TimeSpec)[];
}

type Sections = { [Name in SectionName]: { title: string; options: Record<OptionOf<Name>, OptionForm> } };

/** Every section of the form with its options and their fields, in display order. */
export const sections: Sections = {
  timeConfig: {
    title: 'Time',
    options: {
      buy_immediately: { label: 'Buy immediately', fields: [] },
      buy_after_duration: {
        label: 'Buy after a duration',
        fields: [
          seconds('configuration.timeConfig.duration', 'Duration', "From the token's detection on; at least 1 second"),
        ],
      },
      buy_at_time: { label: 'Buy at a time', fields: [moment('targetTime', 'Target time', 'In your time zone')] },
      buy_within_timeframe: {
        label: 'Buy within a time frame',
        fields: [
          moment('startTime', 'Start time', 'In your time zone; empty: from now on'),
          moment('endTime', 'End time', 'In your time zone; empty: without an end'),
        ],
      },
    },
  },
  priceConfig: {
    title: 'Price',
    options: {
      buy_at_fixed_price: {
        label: 'Buy at a fixed price',
        fields: [
          {
            kind: 'number',
            name: 'configuration.priceConfig.targetPrice',
            label: 'Target price',
            unit: 'SOL',
            hint: 'Buys at this price or below; at least 0.000001',
            min: 0.000001,
            step: 0.000001,
          },
        ],
      },
      buy_at_percentage_from_low: {
        label: 'Buy at a percentage from the low',
        fields: [
          {
            ...percent('configuration.priceConfig.percentageFromLow', 'Percentage from low', 1),
            hint: 'Above the lowest price since detection; 1 to 100',
            max: 100,
          },
        ],
      },
      buy_at_uptrend: { label: 'Buy in an uptrend', fields: trend('risen') },
      buy_at_downtrend: { label: 'Buy in a downtrend', fields: trend('fallen') },
    },
  },
  liquidityConfig: {
    title: 'Liquidity',
    options: {
      buy_at_minimum_liquidity: {
        label: 'Buy at a minimum liquidity',
        fields: [
          {
            kind: 'number',
            name: 'configuration.liquidityConfig.targetLiquidity',
            label: 'Target liquidity',
            unit: 'SOL',
            hint: 'Buys at this liquidity or above; at least 0.1',
            min: 0.1,
            step: 0.1,
          },
        ],
      },
      buy_at_liquidity_increase: { label: 'Buy when liquidity increases', fields: liquidityChange('risen') },
      buy_at_liquidity_decrease: { label: 'Buy when liquidity decreases', fields: liquidityChange('fallen') },
    },
  },
  holderConfig: {
    title: 'Holders',
    options: {
      buy_at_minimum_holders: {
        label: 'Buy at a minimum of holders',
        fields: [
          {
            kind: 'number',
            name: 'configuration.holderConfig.minHolders',
            label: 'Minimum holders',
            unit: 'wallets',
            hint: 'Buys at this many or more; at least 1',
            min: 1,
            step: 1,
          },
        ],
      },
      buy_at_holder_increase_rate: {
        label: 'Buy when holders increase',
        fields: [
          {
            ...percent('configuration.holderConfig.increaseRatePercentage', 'Increase rate', 1),
            hint: 'How far the number of holders has risen; at least 1',
          },
          seconds('configuration.holderConfig.monitorDuration', 'Monitor duration'),
        ],
      },
    },
  },
};

function trend(direction: 'risen' | 'fallen'): NumberSpec[] {
  return [
    {
      ...percent('configuration.priceConfig.trendPercentage', 'Trend percentage', 0.1),
      hint: `How far the price has ${direction}; at least 0.1`,
    },
    seconds('configuration.priceConfig.trendDuration', 'Trend duration'),
  ];
}

function liquidityChange(direction: 'risen' | 'fallen'): NumberSpec[] {
  return [
    {
      ...percent('configuration.liquidityConfig.percentageChange', 'Percentage change', 1),
      hint: `How far it has ${direction}; at least 1`,
    },
    seconds('configuration.liquidityConfig.monitorDuration', 'Monitor duration'),
  ];
}

function percent(name: NumberSpec['name'], label: string, min: number): Omit<NumberSpec, 'hint'> {
  return { kind: 'number', name, label, unit: '%', min, step: min };
}

function seconds(name: NumberSpec['name'], label: string, hint = 'Within how long; at least 1 second'): NumberSpec {
  return { kind: 'number', name, label, unit: 's', hint, min: 1, step: 1 };
}

function moment(name: TimeSpec['name'], label: string, hint: string): TimeSpec {
  return { kind: 'time', name, label, hint };
}
