import bs58 from 'bs58';
import { LAUNCH_SHARES } from '../figures.ts';
import type { Dice } from '../random.ts';

const ADDRESS_BYTES = 32;
/** This many base58 digits, the first above 1, always encode 64 bytes; drawing digits is much cheaper than converting bytes. */
const SIGNATURE_DIGITS = 87;
const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
/** Digits of one random number: 58^5 is well below 2^32. */
const DIGITS_A_DRAW = 5;
/** Ordinary traders and bots that trade many coins, and creators that may launch again. */
const TRADERS = 6_000;
const BOTS = 120;
const RECENT_CREATORS = 400;

/** Addresses, signatures and wallets of the simulated market. */
export interface Identities {
  /** Returns 32 random bytes in base58: a mint, wallet, curve or pool. */
  address(): string;
  signature(): string;
  trader(): string;
  bot(): string;
  /** Returns the creator of a launch: mostly a new wallet, otherwise an earlier creator. */
  creator(): string;
  addCreator(creator: string): void;
}

export function createIdentities(dice: Dice): Identities {
  const traders: string[] = [];
  const bots: string[] = [];
  const creators: string[] = [];
  const address = () => bs58.encode(dice.bytes(ADDRESS_BYTES));

  /** Pools fill as they are drawn from, so that no unused wallet is created. */
  function fromPool(pool: string[], size: number): string {
    const wallet = pool[dice.whole(0, size - 1)];
    if (wallet !== undefined) return wallet;
    const created = address();
    pool.push(created);
    return created;
  }

  function addCreator(creator: string): void {
    creators.push(creator);
    if (creators.length > RECENT_CREATORS) creators.shift();
  }

  return {
    address,
    signature() {
      let digits = BASE58.charAt(dice.whole(2, BASE58.length - 1));
      while (digits.length < SIGNATURE_DIGITS) {
        let draw = dice.whole(0, BASE58.length ** DIGITS_A_DRAW - 1);
        for (let i = 0; i < DIGITS_A_DRAW && digits.length < SIGNATURE_DIGITS; i += 1) {
          digits += BASE58.charAt(draw % BASE58.length);
          draw = Math.floor(draw / BASE58.length);
        }
      }
      return digits;
    },
    trader: () => fromPool(traders, TRADERS),
    bot: () => fromPool(bots, BOTS),
    creator() {
      if (creators.length > 0 && !dice.chance(LAUNCH_SHARES.newCreator)) return dice.pick(creators);
      const creator = address();
      addCreator(creator);
      return creator;
    },
    addCreator,
  };
}
