import { Types } from 'mongoose';
import { counted } from '../../../common/counted.ts';
import { PublicError } from '../../../common/errors.ts';
import { type Clock, SECOND } from '../../../common/time.ts';
import { tradingModeNames } from '../../../common/trading/account.ts';
import { reasonText } from '../../../common/trading/reasons.ts';
import { roughSol } from '../../../common/trading/text.ts';
import type { OpenPositionsChoice } from '../../../common/wallet/model.ts';
import type { Actor, Audit } from '../../audit/service.ts';
import type { EventSink } from '../../events/bus.ts';
import { pause } from '../../platform/resilience.ts';
import type { PositionBook, SellablePosition } from '../positions/fill-book.ts';
import type { PositionService } from '../positions/service.ts';
import type { TradingStop } from './service.ts';

/** Longest wait of an administrator for the sales of `close`, ms. Sales that are not over then go on. */
const SALES_WAIT_MS = 20 * SECOND;
const LOOK_MS = 200;

/** Recorded actions by choice; the object of an entry is the number and value of the positions. */
export const givenUpActions = { close: 'positions-sold', abandon: 'positions-abandoned' } as const;

export interface GivenUpDeps {
  positions: Pick<PositionBook, 'sellable'> & Pick<PositionService, 'move'>;
  stop: Pick<TradingStop, 'stop' | 'report'>;
  audit: Pick<Audit, 'record'>;
  bus: EventSink;
  clock: Clock;
}

/** The open positions of a wallet that an administrator replaces: without its key they could not be sold any more. */
export function createGivenUpPositions(deps: GivenUpDeps) {
  const { positions, stop, audit, bus, clock } = deps;

  async function heldBy(userId: string, wallet: string): Promise<SellablePosition[]> {
    return (await positions.sellable(userId)).filter((position) => position.wallet === wallet);
  }

  /** Sells the positions of a user in some modes, and waits for the end of the sales. */
  async function sell(userId: string, modes: SellablePosition['mode'][], by: Actor): Promise<void> {
    const end = clock.now() + SALES_WAIT_MS;
    let { endedAt } = await stop.stop(userId, { sell: true, by: 'admin', modes }, by);
    while (endedAt === null && clock.now() < end) {
      await pause(LOOK_MS);
      endedAt = (await stop.report(userId))?.endedAt ?? null;
    }
  }

  /** Returns the symbol of each position that is left, with what keeps it from being sold. */
  async function unsoldTexts(userId: string, left: readonly SellablePosition[]): Promise<string[]> {
    const report = await stop.report(userId);
    return left.map(({ id, token }) => {
      const failure = report?.positions.find(({ positionId }) => positionId === id)?.failure;
      return `${token.symbol ?? token.address}: ${failure ? reasonText(failure) : 'The sale is not over yet.'}`;
    });
  }

  return {
    /**
     * Prepares the replacement of a user's `wallet`: records the choice, and for `close` stops the user and sells the open positions
     * of the wallet, in every mode. Throws `open-positions` without a choice, and when some are not sold in time.
     */
    async prepare(userId: string, wallet: string, choice: OpenPositionsChoice | undefined, by: Actor): Promise<void> {
      const open = await heldBy(userId, wallet);
      if (open.length === 0) return;
      if (choice === undefined) throw new PublicError('open-positions', { details: figuresOf(open) });
      await audit.record(givenUpActions[choice], by, userId, textOf(open));
      bus.emit('positions-given-up', { userId });
      if (choice === 'abandon') return;
      await sell(userId, modesOf(open), by);
      const left = await heldBy(userId, wallet);
      if (left.length === 0) return;
      throw new PublicError('open-positions', {
        text: 'Not all positions were sold, so the wallet stays. Try again, or abandon the rest.',
        details: { ...figuresOf(left), unsold: await unsoldTexts(userId, left) },
      });
    },
    /** Closes the open positions of a replaced `wallet`, as moved. Repeating it changes nothing. */
    async abandon(userId: string, wallet: string): Promise<void> {
      for (const { id, tokens } of await heldBy(userId, wallet)) await positions.move(new Types.ObjectId(id), tokens);
    },
  };
}

function worthOf(open: readonly SellablePosition[]): number {
  return open.reduce((sum, { lamports }) => sum + lamports, 0);
}

function figuresOf(open: readonly SellablePosition[]): Record<string, string[]> {
  return { positions: [String(open.length)], valueLamports: [String(worthOf(open))] };
}

function modesOf(open: readonly SellablePosition[]): SellablePosition['mode'][] {
  return [...new Set(open.map(({ mode }) => mode))];
}

/** Returns '3 open positions worth 0.52 SOL, Local chain'. */
function textOf(open: readonly SellablePosition[]): string {
  const names = modesOf(open).map((mode) => tradingModeNames[mode]);
  return [`${counted(open.length, 'open position')} worth ${roughSol(worthOf(open))}`, ...names].join(', ');
}
