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

/** Longest symbol the launchpad takes, and letters a made-up one is cut to. */
const SYMBOL_LENGTH = 13;
const SHORT_SYMBOL = 6;

/** What a launch is about; clones share it. */
export interface Idea {
  name: string;
  symbol: string;
}

/** Makes names and symbols, and remembers those of the last nine minutes for copycats. */
export class Names {
  readonly #dice: Dice;
  #recent: { at: number; idea: Idea }[] = [];

  constructor(dice: Dice) {
    this.#dice = dice;
  }

  /** The idea of a launch at `at`: mostly its own, now and then a copy of a recent one, seldom without a symbol. */
  idea(at: number): Idea {
    if (this.#dice.chance(LAUNCH_SHARES.blankSymbol)) return { name: '', symbol: '' };
    this.#forget(at);
    const copied = this.#recent.length > 0 && this.#dice.chance(COPYCAT_SHARE);
    return copied ? this.#dice.pick(this.#recent).idea : this.fresh();
  }

  fresh(): Idea {
    const describing = this.#dice.pick(DESCRIBING);
    const thing = this.#dice.pick(THINGS);
    return { name: `${describing} ${thing}${this.#dice.pick(TAILS)}`, symbol: this.#symbol(describing, thing) };
  }

  remember(at: number, idea: Idea): void {
    if (idea.symbol !== '') this.#recent.push({ at, idea });
    this.#forget(at);
  }

  #symbol(describing: string, thing: string): string {
    const way = this.#dice.next();
    if (way < 0.06) return thing.toUpperCase();
    if (way < 0.5)
      return `${describing.slice(0, this.#dice.whole(1, 3))}${thing}`.toUpperCase().slice(0, SYMBOL_LENGTH);
    if (way < 0.8) return `${describing.slice(0, 3)}${thing.slice(0, 3)}`.toUpperCase().slice(0, SHORT_SYMBOL);
    return `${describing}${thing.slice(0, 1)}`.toUpperCase().slice(0, SYMBOL_LENGTH);
  }

  /** Most remembered ideas, so that a very fast market stays bounded. */
  static readonly #MOST = 500;

  #forget(at: number): void {
    const stale = this.#recent.findIndex((entry) => entry.at > at - COPYCAT_WINDOW);
    const surplus = this.#recent.length - Names.#MOST;
    const drop = Math.max(stale === -1 ? this.#recent.length : stale, surplus);
    if (drop > 0) this.#recent.splice(0, drop);
  }
}
