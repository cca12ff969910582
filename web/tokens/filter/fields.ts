import type { RangeField } from '../../../common/tokens/filters.ts';
import { compact } from '../../ui/format.ts';

/** How a figure is written and typed: `10m`, `$1.2K`, `5 SOL`, `30`, `30%`. */
export type Unit = 'seconds' | 'usd' | 'sol' | 'count' | 'percent';

interface FieldText {
  label: string;
  unit: Unit;
  /** What the figure is. */
  definition: string;
  /** When it is unknown. */
  unknown: string;
}

/** Texts of the figures that a list can be limited by. */
export const fieldTexts: Record<RangeField, FieldText> = {
  age: {
    label: 'Age',
    unit: 'seconds',
    definition: 'Time since the creation on chain, or since the detection while the creation is unknown.',
    unknown: 'It is always known.',
  },
  marketCap: {
    label: 'Market cap, $',
    unit: 'usd',
    definition: 'Price times total supply, in US dollars.',
    unknown: 'Unknown without a price or a SOL/USD rate.',
  },
  marketCapSol: {
    label: 'Market cap, SOL',
    unit: 'sol',
    definition: 'Price times total supply, in SOL.',
    unknown: 'Unknown without a price or a supply.',
  },
  highestCap: {
    label: 'Highest cap, $',
    unit: 'usd',
    definition: 'Market cap at the highest price so far, at the present rate.',
    unknown: 'Unknown without a price or a SOL/USD rate. It starts again with the move into a pool.',
  },
  highestCapSol: {
    label: 'Highest cap, SOL',
    unit: 'sol',
    definition: 'Market cap at the highest price so far.',
    unknown: 'Unknown without a price. It starts again with the move into a pool.',
  },
  liquidity: {
    label: 'Liquidity, SOL',
    unit: 'sol',
    definition: 'SOL in the curve or the pool that buyers paid in.',
    unknown: 'Unknown until a trade or the node reports the reserves.',
  },
  volume: {
    label: 'Volume, $',
    unit: 'usd',
    definition: 'US dollars traded in the last 24 hours, or since the creation.',
    unknown: 'Unknown without a SOL/USD rate.',
  },
  buys: {
    label: 'Buys',
    unit: 'count',
    definition: 'Purchases since the creation.',
    unknown: 'Unknown when trades before the detection may be missing.',
  },
  sells: {
    label: 'Sells',
    unit: 'count',
    definition: 'Sales since the creation.',
    unknown: 'Unknown when trades before the detection may be missing.',
  },
  holders: {
    label: 'Holders',
    unit: 'count',
    definition: 'Wallets that hold the coin, without curve and pool.',
    unknown: 'Unknown until they are counted.',
  },
  curve: {
    label: 'Curve, %',
    unit: 'percent',
    definition: 'Share of the bonding curve that is sold.',
    unknown: 'Unknown for coins that left their curve.',
  },
  risk: {
    label: 'Risk, 0–100',
    unit: 'count',
    definition: 'Score of the risk checks; higher is worse.',
    unknown: 'Unknown while a low score is not earned yet.',
  },
  checks: {
    label: 'Checks known, %',
    unit: 'percent',
    definition: 'Share of the risk checks with a result.',
    unknown: 'It is always known.',
  },
  developer: {
    label: 'Developer, %',
    unit: 'percent',
    definition: 'Share of the supply that the developer holds.',
    unknown: 'Unknown without the developer or the holders.',
  },
  topTen: {
    label: 'Top ten, %',
    unit: 'percent',
    definition: 'Share of the supply in the ten largest wallets: the highest one since the last peak of the liquidity.',
    unknown: 'Unknown until the holders are counted.',
  },
  insiders: {
    label: 'Insiders, %',
    unit: 'percent',
    definition: 'Share of the supply that wallets hold which bought together with the launch.',
    unknown: 'Unknown when the first trades were not observed.',
  },
  bundle: {
    label: 'Bundle, %',
    unit: 'percent',
    definition: 'Share of the supply that the insiders bought at the launch.',
    unknown: 'Unknown when the first trades were not observed.',
  },
  launches: {
    label: 'Other launches',
    unit: 'count',
    definition: 'Other coins that the developer launched within the 24 hours before this one.',
    unknown: 'Unknown without the developer.',
  },
};

/** Groups of the drawer, each with its figures. */
export const fieldGroups: readonly { title: string; fields: readonly RangeField[] }[] = [
  { title: 'Age', fields: ['age'] },
  {
    title: 'Market',
    fields: [
      'marketCap',
      'marketCapSol',
      'highestCap',
      'highestCapSol',
      'liquidity',
      'volume',
      'buys',
      'sells',
      'curve',
    ],
  },
  { title: 'Holders', fields: ['holders', 'topTen', 'insiders', 'bundle'] },
  { title: 'Risk', fields: ['risk', 'checks'] },
  { title: 'Creator', fields: ['developer', 'launches'] },
];

/** Factors of the suffixes that a figure may be typed with. */
const suffixes: Record<Unit, Readonly<Record<string, number>>> = {
  // Without a suffix: minutes, as traders say an age.
  seconds: { '': 60, s: 1, m: 60, h: 3_600, d: 86_400 },
  usd: { '': 1, k: 1e3, m: 1e6, b: 1e9 },
  sol: { '': 1, k: 1e3, m: 1e6 },
  count: { '': 1, k: 1e3, m: 1e6 },
  percent: { '': 1 },
};

/** Returns a typed figure: null for an empty text, 'wrong' for one without meaning. */
export function parseFigure(text: string, unit: Unit): number | null | 'wrong' {
  const plain = text.trim().replace(/^\$|[%,]/g, '');
  if (plain === '') return null;
  const [, digits, suffix = ''] = /^(\d+(?:\.\d{1,9})?)\s*([a-z]?)$/i.exec(plain) ?? [];
  const factor = suffixes[unit][suffix.toLowerCase()];
  if (digits === undefined || factor === undefined) return 'wrong';
  return Number((Number(digits) * factor).toFixed(9));
}

/** Returns a figure as it can be typed: `10m`, `1.5K`; it is exact. Empty for null. */
export function typedFigure(value: number | null, unit: Unit): string {
  if (value === null) return '';
  const bySize = Object.entries(suffixes[unit]).toSorted(([, a], [, b]) => b - a);
  const found = bySize.find(([suffix, factor]) => {
    if (unit === 'seconds') return suffix !== '' && value >= factor && value % factor === 0;
    return suffix !== '' && value >= factor && Number.isInteger((value / factor) * 10);
  });
  if (found === undefined) return unit === 'seconds' ? `${value}s` : String(value);
  const [suffix, factor] = found;
  return `${value / factor}${unit === 'seconds' ? suffix : suffix.toUpperCase()}`;
}

/** Formats a figure in short, for the ends of a histogram. */
export function shortFigure(value: number, unit: Unit): string {
  switch (unit) {
    case 'seconds': {
      const [suffix, factor] =
        Object.entries({ d: 86_400, h: 3_600, m: 60 }).find(([, seconds]) => value >= seconds) ?? (['s', 1] as const);
      return `${Math.floor(value / factor)}${suffix}`;
    }
    case 'usd':
      return `$${compact(value)}`;
    case 'percent':
      return `${Number(value.toFixed(1))}%`;
    case 'sol':
    case 'count':
      return compact(value);
  }
}
