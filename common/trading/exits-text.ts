import { DAY, HOUR, MINUTE, SECOND } from '../time.ts';
import type { Exits } from './account.ts';

/** Returns each exit as a short text, in the order in which they are judged: `−20 %`, `trail 25 %`, `30 min`, `+50 %`, `2 steps`. */
export function exitTexts({ stopLossPercent, trailingPercent, maxHoldMs, takeProfitPercent, steps }: Exits): string[] {
  return [
    stopLossPercent === null ? null : `−${stopLossPercent} %`,
    trailingPercent === null ? null : `trail ${trailingPercent} %`,
    maxHoldMs === null ? null : timeText(maxHoldMs),
    takeProfitPercent === null ? null : `+${takeProfitPercent} %`,
    steps.length === 0 ? null : `${steps.length} ${steps.length === 1 ? 'step' : 'steps'}`,
  ].filter((text) => text !== null);
}

const units = [
  { ms: DAY, name: 'd' },
  { ms: HOUR, name: 'h' },
  { ms: MINUTE, name: 'min' },
] as const;

/** Returns a time in the largest unit that it has a whole number of. */
function timeText(ms: number): string {
  const unit = units.find((one) => ms % one.ms === 0);
  return unit ? `${ms / unit.ms} ${unit.name}` : `${Math.round(ms / SECOND)} s`;
}
