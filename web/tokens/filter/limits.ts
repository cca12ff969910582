import { parseRanges, type TokenFilter } from '../../../common/tokens/filters.ts';

/** Returns the number of limits that are set. */
export function countLimits({ f, include, exclude, source, stage, copies }: TokenFilter): number {
  const ranges = f === undefined ? 0 : Object.keys(parseRanges(f).ranges).length;
  return ranges + [include, exclude, source, stage, copies].filter((one) => one !== undefined).length;
}
