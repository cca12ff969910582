import type { Logger } from 'pino';
import type { SelfTest } from './self-test.ts';

/** Coins of one round of tests. */
const COINS = 3;

/**
 * Whether the launchpad's program takes our purchases. An unknown response at one coin makes it untested, so that purchases wait
 * for the test of another one. A lock needs two coins: one alone may be odd, and everyone can make such a coin.
 */
export interface ProgramTest {
  /** Returns whether the program took a purchase, and responded in no unknown way since. */
  isPassed(): boolean;
  /** Returns whether the program responded in an unknown way for two coins, and took the purchase of none since. */
  isLocked(): boolean;
  /** Tests a coin, unless a test is in progress. Resolves after either. */
  run(address: string): Promise<void>;
  /** Tests known coins until the result is clear; while purchases are locked, until one passes, which ends the lock. */
  round(): Promise<void>;
  /**
   * Tests other coins after the program responded to the trade of one in an unknown way. Resolves with whether purchases are locked. Never
   * rejects.
   */
  doubt(address: string): Promise<boolean>;
}

export interface ProgramTestDeps {
  selfTest: SelfTest;
  /** Returns at most so many addresses of coins on their curve. */
  coins(limit: number): readonly string[];
  /** Called when purchases are locked. */
  onLocked?(): void;
  log: Logger;
}

export function createProgramTest({ selfTest, coins, onLocked, log }: ProgramTestDeps): ProgramTest {
  let isPassed = false;
  let isLocked = false;
  /** The coin at which the program last responded in an unknown way. */
  let oddCoin: string | null = null;
  let doubting: Promise<void> | null = null;
  /** The test in progress, which all share. */
  let testing: Promise<void> | null = null;

  function lock(): void {
    if (isLocked) return;
    log.error('launchpad program changed, real buying locked');
    isLocked = true;
    onLocked?.();
  }

  async function test(address: string): Promise<void> {
    const result = await selfTest.run(address);
    if (result === 'changed') {
      if (oddCoin !== null && oddCoin !== address) lock();
      oddCoin ??= address;
    }
    if (result === 'passed') {
      if (isLocked) log.warn({ coin: address }, 'launchpad program took a purchase again, real buying unlocked');
      isPassed = true;
      isLocked = false;
      oddCoin = null;
    }
  }

  function run(address: string): Promise<void> {
    testing ??= test(address).finally(() => {
      testing = null;
    });
    return testing;
  }

  /** Tests coins other than an odd one, until one passes or fails. Until one has passed, the program is untested. */
  async function testOthers(address: string): Promise<void> {
    oddCoin = address;
    isPassed = false;
    log.warn({ coin: address }, 'launchpad program refused a trade in an unknown way');
    const others = coins(COINS + 1).filter((coin) => coin !== address);
    for (const other of others) if (oddCoin !== null && !isLocked) await test(other);
  }

  return {
    isPassed: () => isPassed,
    isLocked: () => isLocked,
    run,
    async round() {
      const wasLocked = isLocked;
      const isOpen = () => (wasLocked ? isLocked : !isPassed && !isLocked);
      for (const address of coins(COINS)) if (isOpen()) await run(address);
    },
    async doubt(address) {
      if (isLocked) return true;
      doubting ??= testOthers(address).finally(() => {
        doubting = null;
      });
      await doubting.catch((error: unknown) => log.error({ error }, 'launchpad program not tested'));
      return isLocked;
    },
  };
}
