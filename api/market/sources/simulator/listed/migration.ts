import type { CompletedObservation, MigratedObservation } from '../../observation.ts';
import type { Coin } from '../coin/coin.ts';
import type { Dice } from '../random.ts';
import { LP_BURNT_PERCENT, MIGRATION_DELAY } from '../world/coin-events.ts';

/** Time after which a move into the pool without an event is sent again, ms. */
const RETRY = 5_000;

/** The move of a sold-out coin into its pool. Times are epoch ms. */
export interface Migration {
  /** Applies the end of the curve, or the move. */
  onEvent(event: CompletedObservation | MigratedObservation, now: number): void;
  /** Sends the move when it is due. */
  advance(now: number): void;
}

/** `since`: the coin may have been sold out then, in an earlier run. */
export function createMigration(
  coin: Coin,
  { dice, migrate }: { dice: Dice; migrate(address: string): Promise<void> },
  since: number,
): Migration {
  let dueAt = since;
  return {
    onEvent(event, now) {
      if (event.kind === 'migrated') return enterPool(coin, event);
      coin.stage = 'complete';
      dueAt = now + dice.between(MIGRATION_DELAY.from, MIGRATION_DELAY.to);
    },
    advance(now) {
      if (coin.stage !== 'complete' || now < dueAt) return;
      dueAt = now + RETRY;
      void migrate(coin.address);
    },
  };
}

/** Moves the coin into its pool: the pool's liquidity has no owner who could withdraw it. */
function enterPool(coin: Coin, { reserves }: MigratedObservation): void {
  coin.stage = 'pool';
  coin.lpLockedPercent = LP_BURNT_PERCENT;
  if (reserves !== undefined) coin.reserves = { ...reserves };
}
