import type { Clock } from '../../../common/time.ts';
import type { SourceName } from '../../tokens/record.ts';
import type { Engine } from '../engine.ts';
import type { MarketTick } from './market-feed.ts';

/** A tick with the check of whether a source's figures are of now. */
export interface SourcedTick extends MarketTick {
  isLive(source: SourceName): boolean;
}

/** Hands the ticks of new tokens to one listener. */
export type Following = ReturnType<typeof createFollowing>;

/** `lateTick`: after a tick that came later than this (ms), the oldest observations have waited too long. */
export function createFollowing(deps: {
  engine: Pick<Engine, 'follow' | 'unfollow'>;
  isCurrent(source: SourceName): boolean;
  clock: Clock;
  lateTick: number;
}) {
  const { engine, isCurrent, clock, lateTick } = deps;
  return {
    /**
     * Hands every tick to a listener after its merge and before it is stored, with the changes of new tokens that were detected at or
     * after `from` (epoch ms). Tokens in memory that fit follow with the next tick. A second call replaces the first.
     */
    follow(from: number, onTick: (tick: SourcedTick) => void): void {
      let last = clock.now();
      engine.follow(from, (tick) => {
        const isLate = tick.now - last > lateTick;
        last = tick.now;
        onTick({ ...tick, isLive: (source) => !isLate && isCurrent(source) });
      });
    },
    unfollow: engine.unfollow,
  };
}
