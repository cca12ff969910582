import type { Position, PositionValue } from '../../../common/trading/position.ts';
import type { PositionRecord } from './model.ts';

/** Returns a position as REST and events carry it. `value`: null for a closed one. */
export function presentPosition(record: PositionRecord, value: PositionValue | null): Position {
  const kind = kindOf(record.origin);
  return {
    id: record._id.toHexString(),
    mode: record.mode,
    cluster: record.cluster,
    wallet: record.wallet,
    token: record.token,
    origin: { kind, name: record.originName },
    status: record.status,
    tokens: record.tokens,
    boughtTokens: record.boughtTokens,
    soldTokens: record.soldTokens,
    costLamports: record.costLamports,
    paidLamports: record.paidLamports,
    proceedsLamports: record.proceedsLamports,
    realisedLamports: record.realisedLamports,
    feesLamports: record.feesLamports,
    rentLamports: record.rentLamports,
    entryPrice: record.entryPrice,
    exits: record.exits,
    stepsDone: record.stepsDone,
    movedTokens: record.movedTokens,
    value,
    openedAt: record.openedAt.toISOString(),
    closedAt: record.closedAt?.toISOString() ?? null,
    version: record.version,
  };
}

/** Returns the id of the time that a position is stuck, hexadecimal; null while it is not. */
export function stuckIdOf({ _id, status, exit }: PositionRecord): string | null {
  return status === 'stuck' ? (exit?.stuckId ?? _id).toHexString() : null;
}

function kindOf(origin: string): Position['origin']['kind'] {
  if (origin.startsWith('rule:')) return 'rule';
  return origin.startsWith('strategy:') ? 'strategy' : 'manual';
}
