import type { ReplayTrade } from '../../common/replay/model.ts';

/** A purchase of the run and the live one of the same token by the same plan; one of them may be missing. */
export interface TradeRow {
  id: string;
  replay: ReplayTrade | null;
  live: ReplayTrade | null;
}

/** Returns the purchases of a run and of live trading side by side, oldest first. */
export function rowsOf(replay: readonly ReplayTrade[], live: readonly ReplayTrade[]): TradeRow[] {
  const rows = new Map<string, TradeRow>();
  for (const trade of replay) rows.set(idOf(trade), { id: idOf(trade), replay: trade, live: null });
  for (const trade of live) {
    const id = idOf(trade);
    rows.set(id, { id, replay: rows.get(id)?.replay ?? null, live: trade });
  }
  return [...rows.values()].toSorted((one, other) => (timeOf(one) < timeOf(other) ? -1 : 1));
}

// The name of the plan may be changed for a run.
const idOf = ({ address, planName }: ReplayTrade): string => `${address} ${planName}`;

const timeOf = ({ replay, live }: TradeRow): string => (replay ?? live)?.at ?? '';
