import type { ReplayTrade } from '../../common/replay/model.ts';

/** A purchase of the run and the live one of the same token; one of them may be missing. */
export interface TradeRow {
  replay: ReplayTrade | null;
  live: ReplayTrade | null;
}

/** Returns the purchases of a run and of live trading side by side, oldest first. */
export function rowsOf(replay: readonly ReplayTrade[], live: readonly ReplayTrade[]): TradeRow[] {
  // A plan buys a token once.
  const rows = new Map(replay.map((trade): [string, TradeRow] => [trade.address, { replay: trade, live: null }]));
  for (const trade of live) rows.set(trade.address, { replay: rows.get(trade.address)?.replay ?? null, live: trade });
  return [...rows.values()].toSorted((one, other) => (timeOf(one) < timeOf(other) ? -1 : 1));
}

const timeOf = ({ replay, live }: TradeRow): string => (replay ?? live)?.at ?? '';
