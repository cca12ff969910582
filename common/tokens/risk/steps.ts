/** Points above each limit: `[30, 5]` gives 5 above 30. */
export type Steps = readonly (readonly [limit: number, points: number])[];

/** Returns the points of the highest step below the value. */
export function above(value: number, steps: Steps): number {
  let points = 0;
  for (const [limit, worth] of steps) if (value > limit) points = worth;
  return points;
}

/** Returns the highest limit below the value, or the first limit, as a whole number. */
export function limitAbove(value: number, steps: Steps): number {
  let passed = steps[0]?.[0] ?? 0;
  for (const [limit] of steps) if (value > limit) passed = limit;
  return Math.round(passed);
}

/** Returns the points of the last step. */
export function mostPoints(steps: Steps): number {
  return steps.at(-1)?.[1] ?? 0;
}

/** Returns '12.4 %', with at most one decimal. */
export function percent(value: number): string {
  return `${Number(value.toFixed(1))} %`;
}

/** Limits, in the unit of the fact, and the points above them. A limit of 0 means any amount; 49.9 means from 50 on. */
export const steps = {
  /** SOL. Less than one may be anybody's dust. */
  lpPulled: [
    [1, 8],
    [5, 14],
    [20, 20],
  ],
  topTen: [
    [20, 6],
    [30, 10],
    [50, 15],
  ],
  largestWallet: [
    [10, 2],
    [20, 6],
    [50, 15],
  ],
  developerStake: [
    [5, 2],
    [10, 5],
    [20, 14],
  ],
  developerSold: [
    [0, 2],
    [10, 12],
    [49.9, 25],
  ],
  /** The same for a developer that bought hardly anything, as most do in coins without buyers. */
  smallDeveloperSold: [
    [0, 1],
    [49.9, 6],
  ],
  developerSoldEarly: [
    [10, 4],
    [49.9, 8],
  ],
  insidersBought: [
    [5, 15],
    [15, 22],
    [30, 30],
  ],
  insiderWallets: [
    [1, 3],
    [3, 8],
    [5, 14],
  ],
  insidersSold: [
    [0, 2],
    [10, 5],
    [49.9, 12],
  ],
  unboughtSales: [
    [1, 10],
    [5, 25],
  ],
  drawdown: [
    [24.9, 6],
    [49.9, 18],
  ],
  priceFall: [
    [24.9, 5],
    [49.9, 10],
  ],
  launches: [
    [1, 4],
    [2, 6],
    [9, 12],
  ],
  transferFeeBps: [
    [0, 6],
    [500, 12],
  ],
} as const satisfies Record<string, Steps>;
