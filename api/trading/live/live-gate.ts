import type { Logger } from 'pino';
import { SECOND } from '../../../common/time.ts';
import { type Reason, reason } from '../../../common/trading/reasons.ts';
import { loggable } from '../../platform/log.ts';
import { pause } from '../../platform/resilience.ts';
import type { Executor, TradeAsk } from '../executors/executor.ts';
import { isNodeAway } from '../executors/trading-node.ts';
import type { SelfTest } from './self-test.ts';

/** Time between two checks while the node is away or no coin is known, ms. */
const AGAIN_MS = 10 * SECOND;
/** Coins of one round of tests. */
const COINS = 3;

/** Decides whether real orders may be signed: after a check of the node, and purchases after a test of the launchpad's program. */
export interface LiveGate {
  /**
   * Checks the node. Rejects with a StartError for a wrong one; a node that is away is checked again later, and nothing is signed
   * before.
   */
  start(): Promise<void>;
  stop(): void;
  /** Returns whether purchases are refused because the launchpad's program answered in an unknown way. */
  isLocked(): boolean;
  /**
   * Tests other coins after the trade of one was answered in an unknown way, and locks purchases when the program answers so for
   * another one. Resolves with whether they are locked. Never rejects.
   */
  doubt(address: string): Promise<boolean>;
  /** Returns the executor with its refusals. Attempts that are out are followed in any case. */
  guarded(executor: Executor): Executor;
}

export interface LiveGateDeps {
  /** Rejects with a StartError when nothing may ever be signed with this node. */
  checkNode(): Promise<void>;
  selfTest: SelfTest;
  /** Returns at most so many addresses of coins on their curve. */
  coins(limit: number): readonly string[];
  log: Logger;
}

export function createLiveGate({ checkNode, selfTest, coins, log }: LiveGateDeps): LiveGate {
  const stopping = new AbortController();
  let isChecked = false;
  let isTested = false;
  let isLocked = false;
  /** The coin at which the program last answered in an unknown way. One coin alone may be the odd one. */
  let oddCoin: string | null = null;
  let doubting: Promise<void> | null = null;
  /** The test in progress, which all share. */
  let testing: Promise<void> | null = null;

  /** Resolves with whether the node answered. */
  async function checked(): Promise<boolean> {
    try {
      await checkNode();
      isChecked = true;
    } catch (error) {
      if (!isNodeAway(error)) throw error;
    }
    return isChecked;
  }

  function lock(): void {
    if (!isLocked) log.error('launchpad program changed, real buying locked');
    isLocked = true;
  }

  async function test(address: string): Promise<void> {
    const result = await selfTest.run(address);
    if (result === 'changed') {
      if (oddCoin !== null && oddCoin !== address) lock();
      oddCoin ??= address;
    }
    if (result === 'passed') {
      isTested = true;
      oddCoin = null;
    }
  }

  /** Tests a coin, unless a test is in progress. Resolves after either. */
  function tested(address: string): Promise<void> {
    testing ??= test(address).finally(() => {
      testing = null;
    });
    return testing;
  }

  /** Tests coins other than an odd one, until one passes or fails. */
  async function testOthers(address: string): Promise<void> {
    oddCoin = address;
    log.warn({ coin: address }, 'launchpad program refused a trade in an unknown way');
    const others = coins(COINS + 1).filter((coin) => coin !== address);
    for (const other of others) if (oddCoin !== null && !isLocked) await test(other);
  }

  async function round(): Promise<boolean> {
    if (!isChecked && !(await checked())) return false;
    for (const address of coins(COINS)) if (!isTested && !isLocked) await tested(address);
    return isTested || isLocked;
  }

  async function loop(): Promise<void> {
    while (!stopping.signal.aborted && !(await round())) await pause(AGAIN_MS, stopping.signal);
  }

  /** Returns why a trade is refused. The first purchase may be the first coin to test with. */
  async function refusal({ side, address }: TradeAsk): Promise<Reason | null> {
    if (!isChecked) return reason('node-away');
    if (side === 'sell') return null;
    if (!isTested && !isLocked) await tested(address);
    if (isLocked) return reason('interface-changed');
    return isTested ? null : reason('not-tested');
  }

  return {
    async start() {
      if (!(await checked())) log.warn('node not checked, real orders wait for it');
      loop().catch((error: unknown) => log.error({ error: loggable(error) }, 'node refused for real orders'));
    },
    stop: () => stopping.abort(),
    isLocked: () => isLocked,
    async doubt(address) {
      if (isLocked) return true;
      doubting ??= testOthers(address).finally(() => {
        doubting = null;
      });
      await doubting.catch((error: unknown) => log.error({ error: loggable(error) }, 'launchpad program not tested'));
      return isLocked;
    },
    guarded: (executor) => ({
      ...executor,
      async quote(ask) {
        const refused = await refusal(ask);
        return refused ? { ok: false, reason: refused } : executor.quote(ask);
      },
      async sign(ask, quote, name) {
        const refused = await refusal(ask);
        return refused ? { ok: false, reason: refused } : executor.sign(ask, quote, name);
      },
    }),
  };
}
