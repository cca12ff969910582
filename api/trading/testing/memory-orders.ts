import { Types } from 'mongoose';
import { isOver, undecidedAttempts } from '../../../common/trading/machine.ts';
import { stateOf } from '../orders/changes.ts';
import type { OrderRecord } from '../orders/record.ts';
import type { OrderStore } from '../orders/store.ts';
import type { AppliedFill, PositionBook } from '../positions/fill-book.ts';
import { heldLot } from '../positions/fills/held-lot.ts';

/** Orders in memory, with the rules of the stored ones: one a key, replaced only as they were read. */
export function createMemoryOrders(): OrderStore & { all: Map<string, OrderRecord> } {
  const all = new Map<string, OrderRecord>();
  const some = (is: (order: OrderRecord) => boolean) => [...all.values()].filter(is).map((order) => ({ ...order }));
  const isOf = (userId: string | null) => (order: OrderRecord) =>
    userId === null || order.userId.toHexString() === userId;
  return {
    all,
    async insert(order) {
      if (some(({ userId, key }) => userId.equals(order.userId) && key === order.key).length > 0) return false;
      all.set(order._id.toHexString(), { ...order });
      return true;
    },
    find: async (id) => some(({ _id }) => _id.toHexString() === id)[0] ?? null,
    keysFrom: async (userId, prefix, limit) =>
      [...all.values()]
        .filter((order) => order.userId.toHexString() === userId && order.key.startsWith(prefix))
        .slice(0, limit)
        .map(({ key }) => key),
    findByKey: async (userId, key) => some((order) => isOf(userId)(order) && order.key === key)[0] ?? null,
    async swap({ _id, version }, after) {
      if (all.get(_id.toHexString())?.version !== version) return false;
      all.set(_id.toHexString(), { ...after });
      return true;
    },
    list: async (userId) => some(isOf(userId)).toReversed(),
    openIds: async () => some(({ open }) => open).map(({ _id }) => _id.toHexString()),
    stoppable: async (userId) =>
      some(
        (order) =>
          isOf(userId)(order) && order.open && order.side === 'buy' && !order.noMore && !isOver(stateOf(order)),
      ),
    outIds: async (userId) =>
      some((order) => isOf(userId)(order) && order.side === 'buy' && undecidedAttempts(stateOf(order)).length > 0).map(
        ({ _id }) => _id.toHexString(),
      ),
    countUnknown: async (userId, mode) =>
      some((order) => isOf(userId)(order) && order.mode === mode && order.status === 'unknown').length,
  };
}

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
