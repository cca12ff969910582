import { Types } from 'mongoose';
import { PublicError } from '../../../common/errors.ts';
import type { Clock } from '../../../common/time.ts';
import type { Exits } from '../../../common/trading/account.ts';
import type { Position, PositionValue } from '../../../common/trading/position.ts';
import type { TradedCoin } from '../../market/traded/traded-coin.ts';
import type { TradingAccounts } from '../accounts/service.ts';
import type { HeldPosition, PositionBook } from './fill-book.ts';
import { afterMoved } from './fills/position-after.ts';
import type { OpenBook } from './open-book.ts';
import { presentPosition } from './present.ts';
import type { PositionRecord } from './record.ts';
import type { PositionQuery, PositionStore } from './store.ts';
import { createPositionUpdates, type PositionUpdates } from './updates.ts';
import { positionValue } from './values/value.ts';

/** Reads and changes positions. Ids are hexadecimal. */
export interface PositionService
  extends PositionUpdates,
    Pick<PositionBook, 'listOpen' | 'findOpen' | 'sellable' | 'closePaper'> {
  find(id: string): Promise<PositionRecord | null>;
  list(userId: string, query: PositionQuery): Promise<Position[]>;
  /** Returns a position as clients receive it. */
  present(position: PositionRecord): Position;
  /** Returns the present value of an open position. */
  value(position: PositionRecord): PositionValue;
  /** Closes the paper positions of users whose reset of the play money was interrupted. */
  finishResets(): Promise<void>;
  /** Sets the exits of an open position. Throws `not-found`. */
  changeExits(id: string, exits: Exits): Promise<Position>;
  /** Reduces a position by tokens that left the wallet otherwise, at most all of them; with a `version`, only that one. */
  move(id: Types.ObjectId, tokens: bigint, version?: number): Promise<void>;
  /** Frees the places of positions that a crash has left half closed. */
  releasePlaces(): Promise<void>;
}

export interface PositionServiceDeps {
  store: PositionStore;
  accounts: Pick<TradingAccounts, 'read' | 'closePosition' | 'finishReset' | 'resettingUserIds'>;
  book: OpenBook;
  market: { liveCoin(address: string): TradedCoin | null };
  /** Receives every position that was stored. */
  onStored(position: PositionRecord): void;
  clock: Clock;
}

export function createPositionService(deps: PositionServiceDeps): PositionService {
  const { store, accounts, book, market, clock, onStored } = deps;

  const valueNow = (position: PositionRecord): PositionValue =>
    positionValue(position, market.liveCoin(position.token.address), book.lotOf(position), clock.now());

  const present = (position: PositionRecord): Position =>
    presentPosition(position, position.open ? valueNow(position) : null);

  const { update, updateAll } = createPositionUpdates({ store, onStored });

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

  async function closePaper(userId: string): Promise<void> {
    const { paper } = await accounts.read(userId);
    const open = await store.openOf(userId, 'paper');
    const former = open.filter(({ openedAt }) => openedAt <= paper.resetAt);
    // Their tokens are gone with the play money: neither gained nor lost.
    for (const { _id, tokens } of former) await move(_id, BigInt(tokens));
    await accounts.finishReset(userId);
  }

  return {
    find: (id) => store.find(new Types.ObjectId(id)),
    list: async (userId, query) => (await store.list(userId, query)).map(present),
    listOpen: async (userId, mode) => (await store.openOf(userId, mode)).map(present),
    present,
    value: valueNow,
    async findOpen(id) {
      const position = await store.find(new Types.ObjectId(id));
      return position?.open ? heldPosition(position) : null;
    },
    async sellable(userId) {
      return (await store.openOf(userId, null)).map((position) => ({
        ...heldPosition(position),
        lamports: valueNow(position).lamports ?? position.costLamports,
      }));
    },
    closePaper,
    async finishResets() {
      for await (const userId of accounts.resettingUserIds()) await closePaper(userId);
    },
    async changeExits(id, exits) {
      const changed = await update(new Types.ObjectId(id), (position) => withExits(position, exits));
      if (!changed) throw new PublicError('not-found');
      return present(changed);
    },
    move,
    update,
    updateAll,
    async releasePlaces() {
      for (const position of await store.unreleased()) await release(position);
    },
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
