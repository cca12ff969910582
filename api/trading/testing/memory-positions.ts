import { Types } from 'mongoose';
import { reason } from '../../../common/trading/reasons.ts';
import type { AppliedFill, PositionBook } from '../positions/fill-book.ts';
import { heldPosition } from '../positions/service.ts';
import { createDeskPositions } from '../replay/desk/positions.ts';

/** Creates a book of fills in memory, by the rules of the replay's desk: no sale waits for a purchase. A position is worth its cost. */
export function createMemoryPositions(): PositionBook {
  const positions = createDeskPositions();
  const results = new Map<string, AppliedFill>();
  return {
    async apply(order) {
      const id = order._id.toHexString();
      const result = results.get(id) ?? positions.apply(order, Date.now());
      results.set(id, result);
      return result;
    },
    async lot({ wallet, address }, open) {
      const missing = (await open()).filter(({ _id }) => !results.has(_id.toHexString()));
      return positions.lot(wallet, address, missing);
    },
    async findOpen(id) {
      const { record } = positions.find(new Types.ObjectId(id)) ?? {};
      return record?.open ? heldPosition(record) : null;
    },
    // Half of a position returns its price.
    async initialTokens(id) {
      const { record } = positions.find(new Types.ObjectId(id)) ?? {};
      if (!record?.open) return { ok: false, reason: reason('no-position') };
      return { ok: true, value: BigInt(record.tokens) / 2n };
    },
    async sellable(userId) {
      const own = positions.open().filter(({ record }) => record.userId.toHexString() === userId);
      return own.map(({ record }) => ({ ...heldPosition(record), lamports: record.costLamports }));
    },
    listOpen: async () => [],
    heldCoin: () => null,
    closePaper: async () => {},
  };
}
