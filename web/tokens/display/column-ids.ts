/** Columns that the user chooses and orders, in their first order. 'Detected' has the age. */
export const chosenColumns = [
  'detected',
  'marketCap',
  'price',
  'liquidity',
  'volume',
  'holders',
  'facts',
  'spark',
  'risk',
] as const;
export type ChosenColumn = (typeof chosenColumns)[number];

/** Heights of the rows of a table. */
export type Density = 'comfortable' | 'compact';
