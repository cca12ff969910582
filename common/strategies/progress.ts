import { z } from 'zod';
import { changePercent } from '../percent-change.ts';
import { type Conditions, sections, valueConfigs } from './conditions.ts';
import { type TokenHistory, valueAt } from './history.ts';
import { holderOptions, liquidityOptions, priceOptions, type TimeConfig, timeOptions } from './model.ts';
import { timeMet, timeOf } from './time.ts';
import { baseOf, comparisonOf, type ValueConfig, valueMet } from './values.ts';

/**
 * How far a token is with one condition. `numbers` has the known ones by name: `value` now and its `target`, or its
 * `changePercent` of `percent` (a fall counts up) within `seconds`; times (epoch ms) in names that end with `At`.
 */
export const progressSchema = z.strictObject({
  option: z.enum([...timeOptions, ...priceOptions, ...liquidityOptions, ...holderOptions]),
  met: z.enum(['met', 'waiting', 'unknown', 'never']),
  numbers: z.record(z.string(), z.number()),
});
export type Progress = z.infer<typeof progressSchema>;

/** Figures that may be missing. */
type Figures = Record<string, number | null | undefined>;

/** Returns how far a token is with each condition at `now` (epoch ms), in the order of the form. `conditionsMet` has the outcome of all. */
export function progressOf(conditions: Conditions, history: TokenHistory, now: number): Progress[] {
  const { timeConfig } = sections(conditions);
  const progress: Progress[] = [];
  const add = (option: Progress['option'], met: Progress['met'], figures: Figures) =>
    progress.push({ option, met, numbers: known(figures) });
  if (timeConfig) add(timeConfig.option, timeMet(timeConfig, history, now), timeFigures(timeConfig, history));
  for (const config of valueConfigs(conditions)) {
    add(config.option, valueMet(config, history, now), valueFigures(config, history, now));
  }
  return progress;
}

function timeFigures(config: TimeConfig, { detectedAt }: TokenHistory): Figures {
  switch (config.option) {
    case 'buy_immediately':
      return {};
    case 'buy_after_duration': {
      const { duration } = config;
      return { seconds: duration, untilAt: duration === undefined ? null : detectedAt + duration * 1000 };
    }
    case 'buy_at_time':
      return { untilAt: timeOf(config.targetTime) };
    case 'buy_within_timeframe':
      return { untilAt: timeOf(config.startTime), endAt: timeOf(config.endTime) };
  }
}

function valueFigures(config: ValueConfig, history: TokenHistory, now: number): Figures {
  const compared = comparisonOf(config);
  const current = valueAt(history, compared.value, now);
  if ('target' in compared) return { value: current, target: compared.target };
  const { kind, percent, seconds } = compared;
  const base = baseOf(compared, history, now);
  const rise = current === null || base === null ? null : changePercent(base, current);
  // `0 -` keeps 0 from becoming −0.
  return { changePercent: kind === 'rise' || rise === null ? rise : 0 - rise, percent, seconds };
}

function known(figures: Figures): Record<string, number> {
  const numbers: Record<string, number> = {};
  for (const [name, figure] of Object.entries(figures)) if (figure != null) numbers[name] = figure;
  return numbers;
}
