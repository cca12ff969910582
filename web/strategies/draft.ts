import { z } from 'zod';
import {
  type Configuration,
  defaultStrategy,
  type HolderConfig,
  type LiquidityConfig,
  type PriceConfig,
  type Strategy,
  type StrategyFields,
  type StrategyType,
  type strategyFieldsSchema,
  strategyFormSchema,
  type TimeConfig,
} from '../../common/strategies/model.ts';
import { type Describable, sentence } from '../../common/strategies/sentence.ts';
import { localInput } from '../ui/date-time-field.tsx';

/** A section in the form, with the values of every option. `used` applies to mixed strategies only. */
type Section<Config> = Config & { used: boolean };

interface Sections {
  timeConfig: Section<TimeConfig>;
  priceConfig: Section<PriceConfig>;
  liquidityConfig: Section<LiquidityConfig>;
  holderConfig: Section<HolderConfig>;
  requireAllConditions: boolean;
}

/** Optional figures. The API also takes null for them; the form leaves them out. */
type OptionalFigures = Pick<
  StrategyFields,
  'stopLoss' | 'takeProfit' | 'minLiquidity' | 'maxScamProbability' | 'buyWithinSeconds'
>;

type FieldsInput = Omit<z.input<typeof strategyFieldsSchema>, keyof OptionalFigures | 'configuration'> &
  OptionalFigures;

/** A strategy in the form. It has every section, so that switching type or option loses no input. */
export interface StrategyDraft extends FieldsInput {
  configuration: Sections;
}

/**
 * Values of an empty form. A mixed strategy starts without conditions: since any one of them can trigger a buy, none may be
 * preset.
 */
export const newDraft: StrategyDraft = {
  ...defaultStrategy,
  configuration: {
    timeConfig: { option: 'buy_immediately', used: false },
    priceConfig: { option: 'buy_at_fixed_price', used: false },
    liquidityConfig: { option: 'buy_at_minimum_liquidity', used: false },
    holderConfig: { option: 'buy_at_minimum_holders', used: false },
    requireAllConditions: false,
  },
};

/** Returns a stored strategy in the form. */
export function draftOf({
  stopLoss,
  takeProfit,
  minLiquidity,
  maxScamProbability,
  buyWithinSeconds,
  ...strategy
}: Strategy): StrategyDraft {
  const { name, description, type, isActive, buyAmount, maxSlippage, buyUnknownRisk, configuration } = strategy;
  const { timeConfig, priceConfig, liquidityConfig, holderConfig, requireAllConditions = false } = configuration;
  const empty = newDraft.configuration;
  return {
    ...{ name, description, type, isActive, buyAmount, maxSlippage, buyUnknownRisk },
    stopLoss: stopLoss ?? undefined,
    takeProfit: takeProfit ?? undefined,
    minLiquidity: minLiquidity ?? undefined,
    maxScamProbability: maxScamProbability ?? undefined,
    buyWithinSeconds: buyWithinSeconds ?? undefined,
    configuration: {
      timeConfig: { ...(timeConfig ?? empty.timeConfig), used: timeConfig !== undefined },
      priceConfig: { ...(priceConfig ?? empty.priceConfig), used: priceConfig !== undefined },
      liquidityConfig: { ...(liquidityConfig ?? empty.liquidityConfig), used: liquidityConfig !== undefined },
      holderConfig: { ...(holderConfig ?? empty.holderConfig), used: holderConfig !== undefined },
      requireAllConditions,
    },
  };
}

/** Returns the request body of a draft: the sections of its type, each with only the fields its option uses. */
export function fieldsOf(draft: StrategyDraft): FieldsInput & { configuration: Configuration } {
  return { ...draft, configuration: configurationOf(draft.type, draft.configuration) };
}

/** Validates a draft by the server's schema. */
export const draftSchema = z
  .custom<StrategyDraft>()
  .transform((draft): z.input<typeof strategyFieldsSchema> => fieldsOf(draft))
  .pipe(strategyFormSchema);

/** Returns a sentence about when a strategy buys, with times in the browser's time zone. */
export function strategySentence(strategy: Describable): string {
  return sentence(strategy, (iso) => localInput(iso).replace('T', ' '));
}

function configurationOf(type: StrategyType, sections: Sections): Configuration {
  const { timeConfig, priceConfig, liquidityConfig, holderConfig, requireAllConditions } = sections;
  switch (type) {
    case 'time_based':
      return { timeConfig: timeOf(timeConfig) };
    case 'price_based':
      return { priceConfig: priceOf(priceConfig) };
    case 'liquidity_based':
      return { liquidityConfig: liquidityOf(liquidityConfig) };
    case 'holder_based':
      return { holderConfig: holdersOf(holderConfig) };
    case 'mixed':
      return {
        ...(timeConfig.used ? { timeConfig: timeOf(timeConfig) } : {}),
        ...(priceConfig.used ? { priceConfig: priceOf(priceConfig) } : {}),
        ...(liquidityConfig.used ? { liquidityConfig: liquidityOf(liquidityConfig) } : {}),
        ...(holderConfig.used ? { holderConfig: holdersOf(holderConfig) } : {}),
        requireAllConditions,
      };
  }
}

function timeOf({ option, duration, targetTime, startTime, endTime }: TimeConfig): TimeConfig {
  switch (option) {
    case 'buy_immediately':
      return { option };
    case 'buy_after_duration':
      return { option, duration };
    case 'buy_at_time':
      return { option, targetTime };
    case 'buy_within_timeframe':
      return { option, startTime, endTime };
  }
}

function priceOf(config: PriceConfig): PriceConfig {
  const { option, targetPrice, percentageFromLow, trendPercentage, trendDuration } = config;
  switch (option) {
    case 'buy_at_fixed_price':
      return { option, targetPrice };
    case 'buy_at_percentage_from_low':
      return { option, percentageFromLow };
    case 'buy_at_uptrend':
    case 'buy_at_downtrend':
      return { option, trendPercentage, trendDuration };
  }
}

function liquidityOf(config: LiquidityConfig): LiquidityConfig {
  const { option, targetLiquidity, percentageChange, monitorDuration } = config;
  switch (option) {
    case 'buy_at_minimum_liquidity':
      return { option, targetLiquidity };
    case 'buy_at_liquidity_increase':
    case 'buy_at_liquidity_decrease':
      return { option, percentageChange, monitorDuration };
  }
}

function holdersOf({ option, minHolders, increaseRatePercentage, monitorDuration }: HolderConfig): HolderConfig {
  switch (option) {
    case 'buy_at_minimum_holders':
      return { option, minHolders };
    case 'buy_at_holder_increase_rate':
      return { option, increaseRatePercentage, monitorDuration };
  }
}
