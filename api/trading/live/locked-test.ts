import type { Logger } from 'pino';
import { MINUTE, type Random, SECOND } from '../../../common/time.ts';
import { backoff, pause } from '../../platform/resilience.ts';
import type { ProgramTest } from './program-test.ts';

/** Growing time between two tests of a locked program, ms. */
const INTERVALS = { base: 10 * SECOND, max: 10 * MINUTE };

/** Tests of a program that has locked purchases. Only one that passes ends the lock. */
export interface LockedTest {
  /** Begins to test in growing intervals, until the lock ends. */
  begin(): void;
  /** Tests at once. Never rejects. */
  testAgain(): Promise<void>;
}

/** `program` is called after this. Nothing is tested after `signal` has aborted. */
export function createLockedTest(deps: {
  program(): Pick<ProgramTest, 'isLocked' | 'round'>;
  random: Random;
  log: Logger;
  signal: AbortSignal;
}): LockedTest {
  const { program, random, log, signal } = deps;
  let testing: Promise<void> | null = null;

  async function testAgain(): Promise<void> {
    if (!program().isLocked()) return;
    await program()
      .round()
      .catch((error: unknown) => log.error({ error }, 'launchpad program not tested'));
  }

  async function testUntilPassed(): Promise<void> {
    for (let tests = 0; program().isLocked() && !signal.aborted; tests += 1) {
      await pause(backoff(tests, { ...INTERVALS, random }), signal);
      if (!signal.aborted) await testAgain();
    }
    testing = null;
  }

  return {
    begin() {
      testing ??= testUntilPassed();
    },
    testAgain,
  };
}
