import { COPYCAT_SHARE, COPYCAT_WINDOW, LAUNCH_SHARES } from '../figures.ts';
import type { Dice } from '../random.ts';

const DESCRIBING =
  `Turbo Cosmic Sleepy Golden Tiny Giant Lucky Fuzzy Laser Quantum Neon Pixel Salty Sunny Velvet Rusty Hyper Lazy Brave
Crispy Electric Frosty Ginger Happy Icy Jolly Karate Lunar Magic Noble Orbital Plastic Quiet Rocket Silver Tropical Ultra Vintage
Wandering Zen Astro Bubble Copper Disco Emerald Flying Grumpy Honey Infinite Jumbo Cyber Dancing`.split(/\s+/);

const THINGS =
  `Otter Panda Waffle Noodle Comet Pickle Badger Muffin Walrus Gecko Pigeon Llama Taco Turnip Rocket Beaver Moth Cactus
Dumpling Falcon Goose Hamster Igloo Jellyfish Koala Lobster Mango Narwhal Owl Penguin Quokka Raccoon Sloth Toaster Urchin Vulture Whale
Yak Zebra Bagel Camel Dolphin Ferret Giraffe Hedgehog Iguana Jackal Kiwi Lemon Moose Nutmeg Octopus Parrot Quail Rhino Salmon Tiger
Umbrella Viking Wombat Yeti Acorn Biscuit Carrot Donut Elk Fox Garlic Heron Ibis Kettle Ladle`.split(/\s+/);

const TAILS = ['', '', '', ' Inu', ' Coin', ' Club', ' 2.0', ' AI', ' on Sol', ' DAO', ' Season', ' Army'];

/** Longest symbol of the launchpad, and of a short invented one. */
const SYMBOL_LENGTH = 13;
const SHORT_SYMBOL = 6;
/** Bounds the recent ideas of a very fast market. */
const MAX_RECENT = 500;

/** Name and symbol of a launch; clones share it. */
export interface Idea {
  name: string;
  symbol: string;
}

/** Invents names and symbols, and keeps those of the last nine minutes for copycats. */
export type Names = ReturnType<typeof createNames>;

export function createNames(dice: Dice) {
  const recent: { at: number; idea: Idea }[] = [];

  function dropExpired(at: number): void {
    const firstFresh = recent.findIndex((entry) => entry.at > at - COPYCAT_WINDOW);
    const surplus = recent.length - MAX_RECENT;
    const count = Math.max(firstFresh === -1 ? recent.length : firstFresh, surplus);
    if (count > 0) recent.splice(0, count);
  }

  function fresh(): Idea {
    const describing = dice.pick(DESCRIBING);
    const thing = dice.pick(THINGS);
    return { name: `${describing} ${thing}${dice.pick(TAILS)}`, symbol: symbolOf(dice, describing, thing) };
  }

  return {
    /** Returns the idea of a launch at `at`: mostly a new one, sometimes a copy of a recent one, rarely without a symbol. */
    idea(at: number): { idea: Idea; copied: boolean } {
      if (dice.chance(LAUNCH_SHARES.blankSymbol)) return { idea: { name: '', symbol: '' }, copied: false };
      dropExpired(at);
      const copied = recent.length > 0 && dice.chance(COPYCAT_SHARE);
      return { idea: copied ? dice.pick(recent).idea : fresh(), copied };
    },
    fresh,
    add(at: number, idea: Idea): void {
      if (idea.symbol !== '') recent.push({ at, idea });
      dropExpired(at);
    },
  };
}

function symbolOf(dice: Dice, describing: string, thing: string): string {
  const way = dice.next();
  if (way < 0.06) return thing.toUpperCase();
  if (way < 0.5) return `${describing.slice(0, dice.whole(1, 3))}${thing}`.toUpperCase().slice(0, SYMBOL_LENGTH);
  if (way < 0.8) return `${describing.slice(0, 3)}${thing.slice(0, 3)}`.toUpperCase().slice(0, SHORT_SYMBOL);
  return `${describing}${thing.slice(0, 1)}`.toUpperCase().slice(0, SYMBOL_LENGTH);
}
