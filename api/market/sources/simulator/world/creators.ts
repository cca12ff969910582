import { LAUNCH_SHARES } from '../figures.ts';
import type { Dice } from '../random.ts';

/**
 * Habit of a developer over all its coins: `rugger` mostly dumps, `builder` rarely does, `regular` are all others. It decides
 * the odds of each fate, so that a creator's history says something about its next coin.
 */
export type Habit = 'rugger' | 'regular' | 'builder';

export interface Developer {
  wallet: string;
  habit: Habit;
}

/** Wallets that launched and may launch again. */
const RECENT_CREATORS = 400;
/** Estimates: habits of new wallets, and how many times as often as a regular creator they return. */
const NEW_HABITS = { rugger: 0.2, builder: 0.08 } as const;
const RETURNS = { rugger: 3, regular: 1, builder: 2 } as const satisfies Record<Habit, number>;

/** Developers of the simulated market. */
export type Creators = ReturnType<typeof createCreators>;

export function createCreators(dice: Dice, newWallet: () => string) {
  /** A developer stands here once for each share of its returns. */
  const recent: Developer[] = [];
  const builders: string[] = [];

  function remember(developer: Developer): void {
    for (let times = RETURNS[developer.habit]; times > 0; times -= 1) recent.push(developer);
    while (recent.length > RECENT_CREATORS) recent.shift();
    if (developer.habit !== 'builder') return;
    builders.push(developer.wallet);
    if (builders.length > RECENT_CREATORS) builders.shift();
  }

  function newHabit(): Habit {
    const place = dice.next();
    if (place < NEW_HABITS.rugger) return 'rugger';
    return place < NEW_HABITS.rugger + NEW_HABITS.builder ? 'builder' : 'regular';
  }

  return {
    /** Returns the developer of a launch: mostly a new wallet, otherwise one that launched before. */
    next(): Developer {
      if (recent.length > 0 && !dice.chance(LAUNCH_SHARES.newCreator)) return dice.pick(recent);
      const developer = { wallet: newWallet(), habit: newHabit() };
      remember(developer);
      return developer;
    },
    /** Returns the wallet of a recent builder, whose name others use; null when none launched yet. */
    knownBuilder: (): string | null => (builders.length > 0 ? dice.pick(builders) : null),
    /** Adds a creator of an earlier run; its habit is unknown, so it counts as regular. */
    add: (wallet: string): void => remember({ wallet, habit: 'regular' }),
  };
}
