import type { Logger } from 'pino';
import { MINUTE, type Random, SECOND } from '../../../common/time.ts';
import { backoff, pause } from '../../platform/resilience.ts';
import type { SelfTest } from './self-test.ts';

/** Coins of one round of tests. */
const COINS = 3;
/** Growing time between two tests of a locked program, ms. */
const INTERVALS = { base: 10 * SECOND, max: 10 * MINUTE };

/**
 * Whether the launchpad's program takes our purchases. An unknown response at one coin makes it untested, so that purchases wait
 * for the test of another one. A lock needs two coins: one alone may be odd, and everyone can make such a coin. While it is locked the
 * program is tested in growing intervals; only a test that passes ends the lock.
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
  /** Tests a locked program at once. Never rejects. */
  testAgain(): Promise<void>;
}

export interface ProgramTestDeps {
  selfTest: SelfTest;
  /** Returns at most so many addresses of coins on their curve. */
  coins(limit: number): readonly string[];
  random: Random;
  /** Ends the tests of a locked program. */
  signal: AbortSignal;
  log: Logger;
}

export function createProgramTest({ selfTest, coins, random, signal, log }: ProgramTestDeps): ProgramTest {
  let isPassed = false;
  let isLocked = false;
  /** The coin of the program's last unknown response. */
  let oddCoin: string | null = null;
  /** Whether the retries of a locked program are running. */
  let isRetesting = false;

  async function test(address: string): Promise<void> {
    const result = await selfTest.run(address);
    if (result === 'changed') {
      if (oddCoin !== null && oddCoin !== address && !isLocked) {
        log.error('launchpad program changed, real buying locked');
        isLocked = true;
        void testUntilPassed();
      }
      oddCoin ??= address;
    }
    if (result === 'passed') {
      if (isLocked) log.warn({ coin: address }, 'launchpad program took a purchase again, real buying unlocked');
      isPassed = true;
      isLocked = false;
      oddCoin = null;
    }
  }

  const run = shared(test);

  /** Tests coins other than an odd one, until one passes or fails. Until one has passed, the program is untested. */
  const testOthers = shared(async (address: string) => {
    oddCoin = address;
    isPassed = false;
    log.warn({ coin: address }, 'launchpad program refused a trade in an unknown way');
    const others = coins(COINS + 1).filter((coin) => coin !== address);
    for (const other of others) if (oddCoin !== null && !isLocked) await test(other);
  });

  async function round(): Promise<void> {
    const wasLocked = isLocked;
    const isOpen = () => (wasLocked ? isLocked : !isPassed && !isLocked);
    for (const address of coins(COINS)) if (isOpen()) await run(address);
  }

  async function testAgain(): Promise<void> {
    if (isLocked) await round().catch(logFailure);
  }

  async function testUntilPassed(): Promise<void> {
    if (isRetesting) return;
    isRetesting = true;
    for (let tests = 0; isLocked && !signal.aborted; tests += 1) {
      await pause(backoff(tests, { ...INTERVALS, random }), signal);
      if (!signal.aborted) await testAgain();
    }
    isRetesting = false;
  }

  const logFailure = (error: unknown) => log.error({ error }, 'launchpad program not tested');

  return {
    isPassed: () => isPassed,
    isLocked: () => isLocked,
    run,
    round,
    testAgain,
    async doubt(address) {
      if (isLocked) return true;
      await testOthers(address).catch(logFailure);
      return isLocked;
    },
  };
}

/** Returns `work` in a form whose calls share the one in progress, for any address. */
function shared(work: (address: string) => Promise<void>): (address: string) => Promise<void> {
  let current: Promise<void> | null = null;
  return (address) => {
    current ??= work(address).finally(() => {
      current = null;
    });
    return current;
  };
}
