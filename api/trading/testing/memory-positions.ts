import { Types } from 'mongoose';
import type { OrderRecord } from '../orders/record.ts';
import type { AppliedFill, PositionBook } from '../positions/fill-book.ts';
import { heldLot } from '../positions/fills/held-lot.ts';

/** A book of fills in memory: one position for each wallet and token. */
export function createMemoryPositions(): PositionBook & { applied: Map<string, OrderRecord> } {
  const applied = new Map<string, OrderRecord>();
  const results = new Map<string, AppliedFill>();
  const ids = new Map<string, string>();

  /** Returns the base units that fills have left in a wallet. */
  function held(wallet: string, address: string): bigint {
    let tokens = 0n;
    for (const { side, fill, wallet: other, token } of applied.values()) {
      if (other !== wallet || token.address !== address || !fill) continue;
      tokens += side === 'buy' ? BigInt(fill.tokens) : -BigInt(fill.tokens);
    }
    return tokens;
  }

  return {
    applied,
    async apply(order) {
      const id = order._id.toHexString();
      const known = results.get(id);
      if (known) return known;
      const { wallet, token, fill } = order;
      const key = `${wallet} ${token.address}`;
      const before = held(wallet, token.address);
      applied.set(id, order);
      const after = held(wallet, token.address);
      const positionId = ids.get(key) ?? new Types.ObjectId().toHexString();
      ids.set(key, positionId);
      const isClosed = before > 0n && after === 0n;
      // The next purchase opens another position.
      if (isClosed) ids.delete(key);
      const result: AppliedFill = {
        positionId: fill ? positionId : null,
        realisedLamports: 0,
        opened: before === 0n && after > 0n,
        closed: isClosed,
      };
      results.set(id, result);
      return result;
    },
    async lot({ wallet, address }, open) {
      const missing = (await open()).filter(({ _id }) => !applied.has(_id.toHexString()));
      return heldLot([{ tokens: String(held(wallet, address)), quoteLamports: 0 }], missing);
    },
    async findOpen(id) {
      const [key] = [...ids].find(([, known]) => known === id) ?? [];
      const orders = [...applied.values()].filter(({ wallet, token }) => `${wallet} ${token.address}` === key);
      const last = orders.at(-1);
      if (last === undefined) return null;
      const { _id, userId, mode, cluster, wallet, token } = last;
      const position = { id, userId: userId.toHexString(), ...{ mode, cluster, wallet, token } };
      return { ...position, tokens: held(wallet, token.address), lastOrderId: _id.toHexString() };
    },
    async sellable(userId) {
      const tokens = new Map<string, OrderRecord>();
      for (const order of applied.values()) {
        if (order.userId.toHexString() === userId) tokens.set(`${order.wallet} ${order.token.address}`, order);
      }
      return [...tokens].flatMap(([key, { mode, cluster, wallet, token }]) => {
        const amount = held(wallet, token.address);
        const position = {
          id: ids.get(key) ?? '',
          mode,
          cluster,
          wallet,
          token,
          tokens: amount,
          lamports: Number(amount),
        };
        return amount > 0n ? [position] : [];
      });
    },
    listOpen: async () => [],
    heldCoin: () => null,
    closePaper: async () => {},
  };
}
