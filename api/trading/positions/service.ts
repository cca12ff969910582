import { Types } from 'mongoose';
import { PublicError } from '../../../common/errors.ts';
import type { Clock } from '../../../common/time.ts';
import type { Exits, TradingMode } from '../../../common/trading/account.ts';
import type { Position, PositionValue } from '../../../common/trading/position.ts';
import { reason } from '../../../common/trading/reasons.ts';
import type { TradedCoin } from '../../market/traded/traded-coin.ts';
import type { TradingAccounts } from '../accounts/service.ts';
import type { Outcome } from '../executors/executor.ts';
import type { HeldPosition, SellablePosition } from './fill-book.ts';
import type { PositionChange, PositionRecord } from './model.ts';
import type { OpenBook } from './open-book.ts';
import { afterMoved } from './plan-fill.ts';
import { presentPosition } from './present.ts';
import type { PositionQuery, PositionStore } from './store.ts';
import { initialTokens, positionValue } from './values.ts';

/** Most tries of a change whose position was changed by another writer meanwhile. */
const TRIES = 4;

export interface PositionServiceDeps {
  store: PositionStore;
  accounts: Pick<TradingAccounts, 'read' | 'closePosition' | 'finishReset' | 'resettingUserIds'>;
  book: OpenBook;
  market: { liveCoin(address: string): TradedCoin | null };
  /** Receives every position that was stored. */
  onStored(position: PositionRecord): void;
  clock: Clock;
}

export type PositionService = ReturnType<typeof createPositionService>;

/** Reads and changes positions. Ids are hexadecimal. */
export function createPositionService(deps: PositionServiceDeps) {
  const { store, accounts, book, market, clock } = deps;

  const valueNow = (position: PositionRecord): PositionValue =>
    positionValue(position, market.liveCoin(position.token.address), book.lotOf(position), clock.now());

  const present = (position: PositionRecord): Position =>
    presentPosition(position, position.open ? valueNow(position) : null);

  const { update, updateAll } = createPositionUpdates(deps);

  /** Reduces a position by tokens that left the wallet otherwise, at most all of them; with a `version`, only that one. */
  async function move(id: Types.ObjectId, tokens: bigint, version?: number): Promise<void> {
    const moved = await update(id, (position) =>
      version === undefined || position.version === version ? afterMoved(position, tokens, clock.now()) : null,
    );
    if (moved?.holdsPlace) await release(moved);
  }

  async function release(position: PositionRecord): Promise<void> {
    const { _id, userId, mode } = position;
    await accounts.closePosition(userId.toHexString(), mode, _id.toHexString());
    await store.swap(position, { ...position, holdsPlace: false });
  }

  /** Closes the paper positions that a user had opened before the play money was reset. Repeating it changes nothing. */
  async function closePaper(userId: string): Promise<void> {
    const { paper } = await accounts.read(userId);
    const open = await store.openOf(userId, 'paper');
    const former = open.filter(({ openedAt }) => openedAt <= paper.resetAt);
    // Their tokens are gone with the play money: neither gained nor lost.
    for (const { _id, tokens } of former) await move(_id, BigInt(tokens));
    await accounts.finishReset(userId);
  }

  return {
    find: (id: string) => store.find(new Types.ObjectId(id)),
    list: async (userId: string, query: PositionQuery) => (await store.list(userId, query)).map(present),
    /** Returns the open positions of a user in one mode with their present values, newest first. */
    listOpen: async (userId: string, mode: TradingMode) => (await store.openOf(userId, mode)).map(present),
    /** Returns a position as clients receive it. */
    present,
    /** Returns the present value of an open position. */
    value: valueNow,
    ...createOpenReads(deps, valueNow),
    closePaper,
    /** Closes the paper positions of users whose reset of the play money was interrupted. */
    async finishResets(): Promise<void> {
      for await (const userId of accounts.resettingUserIds()) await closePaper(userId);
    },
    /** Sets the exits of an open position. Throws `not-found`, and `changed-meanwhile` when it has another version than a given one. */
    async changeExits(id: string, exits: Exits, version?: number): Promise<Position> {
      const changed = await update(new Types.ObjectId(id), (position) => {
        if (version !== undefined && position.version !== version) throw new PublicError('changed-meanwhile');
        return withExits(position, exits);
      });
      if (!changed) throw new PublicError('not-found');
      return present(changed);
    },
    move,
    update,
    updateAll,
    /** Frees the places of positions that a crash has left half closed. */
    async releasePlaces(): Promise<void> {
      for (const position of await store.unreleased()) await release(position);
    },
  };
}

/** Creates the functions that read open positions for orders and stops. `valueNow`: returns the present value of one. */
function createOpenReads(
  { store, market, book }: Pick<PositionServiceDeps, 'store' | 'market' | 'book'>,
  valueNow: (position: PositionRecord) => PositionValue,
) {
  return {
    /** Returns an open position; null for any other. */
    async findOpen(id: string): Promise<HeldPosition | null> {
      const position = await store.find(new Types.ObjectId(id));
      return position?.open ? heldPosition(position) : null;
    },
    /** Returns how many tokens of an open position return its price, see `PositionBook`. */
    async initialTokens(id: string, networkLamports: number): Promise<Outcome<bigint>> {
      const position = await store.find(new Types.ObjectId(id));
      if (!position?.open) return { ok: false, reason: reason('no-position') };
      return initialTokens(position, market.liveCoin(position.token.address), book.lotOf(position), networkLamports);
    },
    /** Returns the open positions of a user in all modes. */
    async sellable(userId: string): Promise<SellablePosition[]> {
      return (await store.openOf(userId, null)).map((position) => ({
        ...heldPosition(position),
        lamports: valueNow(position).lamports ?? position.costLamports,
      }));
    },
  };
}

/**
 * Creates the functions that change open positions. A change that other writers are faster with again and again is rejected, for its
 * caller's next round.
 */
export function createPositionUpdates({
  store,
  onStored,
}: Pick<PositionServiceDeps, 'onStored'> & { store: Pick<PositionStore, 'findAll' | 'swapAll'> }) {
  /**
   * Changes many open positions with few calls of the database: repeating a change changes nothing more. Resolves with the positions
   * that are open afterwards.
   */
  async function updateAll(
    changes: readonly { id: Types.ObjectId; change: PositionChange }[],
  ): Promise<PositionRecord[]> {
    const changeOf = new Map(changes.map(({ id, change }) => [id.toHexString(), change]));
    // Positions that were stored by an earlier try, in which another writer was faster with another one.
    const unreported = new Set<string>();
    for (let tries = 0; tries < TRIES; tries += 1) {
      const open = (await store.findAll(changes.map(({ id }) => id))).filter((position) => position.open);
      const present = new Map(open.map((position) => [position._id.toHexString(), position]));
      const wanted = open.flatMap((before) => {
        const after = changeOf.get(before._id.toHexString())?.(before) ?? null;
        return after === null ? [] : [{ before, after }];
      });
      const stored = await store.swapAll(wanted);
      for (const { before } of wanted) unreported.add(before._id.toHexString());
      if (stored === null) continue;
      for (const position of stored) present.set(position._id.toHexString(), position);
      for (const [id, position] of present) if (unreported.has(id)) onStored(position);
      return [...present.values()];
    }
    throw new Error('other writers were faster with a position');
  }

  return {
    /** Changes an open position. Resolves with the position afterwards, null for a closed one. */
    update: async (id: Types.ObjectId, change: PositionChange): Promise<PositionRecord | null> =>
      (await updateAll([{ id, change }]))[0] ?? null,
    updateAll,
  };
}

/** Returns the fields of a position that a sale needs. */
export function heldPosition(position: PositionRecord): HeldPosition {
  const { _id, userId, mode, cluster, wallet, token, tokens, last } = position;
  return {
    id: _id.toHexString(),
    userId: userId.toHexString(),
    ...{ mode, cluster, wallet, token },
    tokens: BigInt(tokens),
    lastOrderId: last?.orderId.toHexString() ?? null,
  };
}

/**
 * An exit that does not get through is judged again by the new limits; one that was sent stays. A step that is set again fires
 * again.
 */
function withExits(position: PositionRecord, exits: Exits): PositionRecord {
  const isSet = (rise: number) => exits.steps.some(({ atPercent }) => atPercent === rise);
  const changed = { ...position, exits, stepsDone: position.stepsDone.filter(isSet) };
  return position.status === 'stuck' ? { ...changed, exit: null, status: 'open' } : changed;
}
