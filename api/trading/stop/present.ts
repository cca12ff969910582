import type { StopReport } from '../../../common/trading/stop.ts';
import type { StopRecord } from './model.ts';

/** Returns the report of a stop as REST and events carry it. */
export function presentStop(record: StopRecord): StopReport {
  const { _id, at, by, cancelled, out, sells, positions, endedAt, version } = record;
  return {
    id: _id.toHexString(),
    at: at.toISOString(),
    by,
    cancelled,
    out: out.length,
    sells,
    positions: positions.map(({ positionId, token, orderId, outcome, lamports, failure }) => ({
      positionId,
      token,
      orderId,
      outcome,
      lamports,
      failure,
    })),
    endedAt: endedAt?.toISOString() ?? null,
    version,
  };
}
