/** The value that `percent` percent of the sorted values do not exceed (nearest rank); null without values. */
export function percentile(sorted: ArrayLike<number>, percent: number): number | null {
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? null;
}
