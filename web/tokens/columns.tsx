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
import { SpanMenu } from './change.tsx';
import { type ChosenColumn, chosenColumns, type Density } from './display/column-ids.ts';
import { FactsCell } from './facts.tsx';

/** The name stands first; the buttons that trade, while quick trade is on, and the link to the details last. */
export const columnIds = ['token', ...chosenColumns, 'trade', 'open'] as const;
export type ColumnId = (typeof columnIds)[number];

/** How rows are laid out: a table of columns, or cards of two lines, with a third one for the buttons that trade. */
export type Layout = { kind: 'table' | 'cards'; columns: readonly ColumnId[]; density: Density; rowHeight: number };

/** Least width of a table, px, without and with the buttons that trade. */
const TABLE_WIDTH = 660;
const TRADING_TABLE_WIDTH = 860;
/** The same in a window without height, where cards would leave room for two or three tokens. */
const FLAT_TABLE_WIDTH = 500;
/** Least width of the name, px: with the needed columns, and with others beside them. */
const NAME_WIDTH = 100;
const ROOMY_NAME_WIDTH = 190;
/** Space before 'open' that the actions of a row cover while the pointer is over it and quick trade is on, px: `RowActions`. */
export const TRADING_ACTIONS_WIDTH = 92;
/** Space between columns and at both ends of a row, px. */
const GAP = 16;
const tableHeight: Record<Density, number> = { comfortable: 40, compact: 30 };
const CARD_HEIGHT = 64;
const TRADING_CARD_HEIGHT = 108;

/** Columns in the order in which they get room; the needed ones take some of the name's. */
const byImportance: readonly ChosenColumn[] = [
  'risk',
  'detected',
  'liquidity',
  'volume',
  'marketCap',
  'holders',
  'facts',
  'price',
  'spark',
];
const NEEDED = 5;

/**
 * Returns the layout for a width in px: the chosen columns that fit, in their order. `flat`: the window has little height, so
 * that rows are low.
 */
export function layoutFor(given: {
  width: number;
  columns: readonly ChosenColumn[];
  density: Density;
  trading: boolean;
  flat: boolean;
}): Layout {
  const { width, columns: chosen, trading, flat } = given;
  const density = flat ? 'compact' : given.density;
  if (width < (trading ? TRADING_TABLE_WIDTH : flat ? FLAT_TABLE_WIDTH : TABLE_WIDTH)) {
    const rowHeight = trading ? TRADING_CARD_HEIGHT : CARD_HEIGHT;
    return { kind: 'cards', columns: ['token', 'open'], density, rowHeight };
  }
  let used = 2 * GAP + roomOf('open') + (trading ? roomOf('trade') : 0);
  const shown = new Set<ColumnId>();
  for (const [place, id] of byImportance.entries()) {
    const name = place < NEEDED && !trading ? NAME_WIDTH : ROOMY_NAME_WIDTH;
    if (!chosen.includes(id) || used + roomOf(id) + name > width) continue;
    used += roomOf(id);
    shown.add(id);
  }
  const middle = chosen.filter((id) => shown.has(id));
  return {
    kind: 'table',
    columns: ['token', ...(trading ? withTrade(middle) : middle), 'open'],
    density,
    rowHeight: tableHeight[density],
  };
}

/** Places the buttons that trade before the last columns, which the actions of a row cover: they never cover a button. */
function withTrade(shown: readonly ColumnId[]): readonly ColumnId[] {
  let covered = GAP;
  let place = shown.length;
  for (; place > 0 && covered < TRADING_ACTIONS_WIDTH; place -= 1) {
    const before = shown[place - 1];
    if (before !== undefined) covered += roomOf(before);
  }
  return [...shown.slice(0, place), 'trade', ...shown.slice(place)];
}

/** Returns the width of a column with the space before it, px. */
function roomOf(id: ColumnId): number {
  return columns[id].width + GAP;
}

interface Column {
  label: string;
  /** Width in px, the least one of a column that `grows`. */
  width: number;
  /** Share of the free room; the name has 1. */
  grows?: number;
  align: 'start' | 'end';
  cell: (token: Token) => ReactNode;
  /** Stands below the label where rows have two lines. */
  under?: ReactNode;
  /** The cell for screen readers, where its text would be read wrong. */
  spoken?: (token: Token) => string;
}

/** Columns of the table; the row renders the cells of `token`, `trade` and `open` itself. */
export const columns: Record<ColumnId, Column> = {
  token: { label: 'Token', width: 0, grows: 1, align: 'start', cell: () => null },
  detected: {
    label: 'Detected',
    width: 60,
    align: 'end',
    cell: (token) => <Age at={listedAt(token)} className="text-muted tabular-nums" />,
  },
  marketCap: {
    label: 'Market cap',
    width: 84,
    align: 'end',
    cell: (token) => <MarketCapCell token={token} />,
    under: <SpanMenu />,
  },
  price: {
    label: 'Price (SOL)',
    width: 96,
    align: 'end',
    cell: (token) => <PriceCell token={token} />,
    spoken: spokenPrice,
  },
  liquidity: { label: 'Liquidity', width: 108, align: 'end', cell: (token) => <LiquidityCell token={token} /> },
  volume: { label: 'Volume', width: 76, align: 'end', cell: (token) => <VolumeCell token={token} /> },
  holders: { label: 'Holders', width: 60, align: 'end', cell: (token) => <HoldersCell token={token} /> },
  facts: { label: 'Facts', width: 200, grows: 0.6, align: 'start', cell: (token) => <FactsCell token={token} /> },
  spark: { label: 'Trend', width: 84, align: 'start', cell: (token) => <SparkCell token={token} /> },
  risk: { label: 'Risk Level', width: 172, align: 'start', cell: (token) => <RiskCell token={token} /> },
  trade: { label: 'Quick trade', width: 380, align: 'start', cell: () => null },
  open: { label: 'Details', width: 28, align: 'end', cell: () => null },
};

/** Returns the grid columns of a layout, for header and rows. */
export function gridOf({ columns: shown }: Layout): string {
  return shown
    .map((id) => {
      const { width, grows } = columns[id];
      return grows === undefined ? `${width}px` : `minmax(${width}px, ${grows}fr)`;
    })
    .join(' ');
}
