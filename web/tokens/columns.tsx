import type { ReactNode } from 'react';
import type { Token } from '../../common/tokens/model.ts';
import { listedAt } from '../../common/tokens/order.ts';
import { Age } from '../live/hooks/age.tsx';
import {
  HoldersCell,
  LiquidityCell,
  MarketCapCell,
  PriceCell,
  RiskCell,
  SparkCell,
  spokenPrice,
  VolumeCell,
} from './cells.tsx';

/** Layouts by width alone: the full table, the main columns, the columns of the specification, or cards of two lines. */
export type WidthLayout = 'wide' | 'medium' | 'small' | 'compact';
/** Layouts while quick trade is on: tables with a column of buttons, or cards with a third line of them. */
type TradingLayout = 'wide-trading' | 'medium-trading' | 'compact-trading';
export type Layout = WidthLayout | TradingLayout;
/** Layouts with columns. */
export type TableLayout = Exclude<Layout, 'compact' | 'compact-trading'>;

/** Columns in their order from left to right. */
export const columnIds = [
  'token',
  'price',
  'spark',
  'liquidity',
  'marketCap',
  'volume',
  'holders',
  'trade',
  'risk',
  'detected',
  'open',
] as const;
export type ColumnId = (typeof columnIds)[number];

export const layoutColumns: Record<Layout, readonly ColumnId[]> = {
  wide: ['token', 'price', 'spark', 'liquidity', 'marketCap', 'volume', 'holders', 'risk', 'detected', 'open'],
  medium: ['token', 'price', 'liquidity', 'marketCap', 'volume', 'risk', 'detected', 'open'],
  small: ['token', 'liquidity', 'volume', 'risk', 'detected', 'open'],
  // The actions of a row cover the column beside 'open' while the pointer is over it: never the buttons that trade.
  'wide-trading': ['token', 'liquidity', 'marketCap', 'trade', 'risk', 'open'],
  'medium-trading': ['token', 'trade', 'risk', 'open'],
  compact: ['token', 'open'],
  'compact-trading': ['token', 'open'],
};

/** Returns whether a layout has columns rather than cards. */
export function isTable(layout: Layout): layout is TableLayout {
  return layout !== 'compact' && layout !== 'compact-trading';
}

/** The layouts while quick trade is on. The columns of 'small' leave no room for its buttons. */
export const tradingLayouts: Record<WidthLayout, TradingLayout> = {
  wide: 'wide-trading',
  medium: 'medium-trading',
  small: 'compact-trading',
  compact: 'compact-trading',
};

/** Minimum width of the table for each layout, px. */
const leastWidth = { wide: 1_080, medium: 860, small: 660 };

export function layoutFor(width: number): WidthLayout {
  if (width >= leastWidth.wide) return 'wide';
  if (width >= leastWidth.medium) return 'medium';
  return width >= leastWidth.small ? 'small' : 'compact';
}

/** Height of a row, px; shared by the virtualizer and the rows. */
export const rowHeight: Record<Layout, number> = {
  wide: 44,
  medium: 44,
  small: 44,
  'wide-trading': 44,
  'medium-trading': 44,
  compact: 64,
  'compact-trading': 108,
};

interface Column {
  label: string;
  /** Width in the CSS grid. */
  track: string;
  align: 'start' | 'end';
  cell: (token: Token) => ReactNode;
  /** The cell for screen readers, where its text would be read wrong. */
  spoken?: (token: Token) => string;
}

/** Columns of the table; the row renders the cells of `token`, `trade` and `open` itself. */
export const columns: Record<ColumnId, Column> = {
  token: { label: 'Token', track: 'minmax(0, 1fr)', align: 'start', cell: () => null },
  price: {
    label: 'Price (SOL)',
    track: '96px',
    align: 'end',
    cell: (token) => <PriceCell token={token} />,
    spoken: spokenPrice,
  },
  spark: { label: 'Trend', track: '84px', align: 'start', cell: (token) => <SparkCell token={token} /> },
  liquidity: { label: 'Liquidity', track: '108px', align: 'end', cell: (token) => <LiquidityCell token={token} /> },
  marketCap: { label: 'Market cap', track: '84px', align: 'end', cell: (token) => <MarketCapCell token={token} /> },
  volume: { label: 'Volume', track: '76px', align: 'end', cell: (token) => <VolumeCell token={token} /> },
  holders: { label: 'Holders', track: '68px', align: 'end', cell: (token) => <HoldersCell token={token} /> },
  trade: { label: 'Quick trade', track: '380px', align: 'start', cell: () => null },
  risk: { label: 'Risk Level', track: '172px', align: 'start', cell: (token) => <RiskCell token={token} /> },
  detected: {
    label: 'Detected',
    track: '68px',
    align: 'end',
    cell: (token) => <Age at={listedAt(token)} className="text-muted tabular-nums" />,
  },
  open: { label: 'Details', track: '28px', align: 'end', cell: () => null },
};

/** Returns the grid columns of a layout, for header and rows. */
export function gridOf(layout: Layout): string {
  return layoutColumns[layout].map((id) => columns[id].track).join(' ');
}
