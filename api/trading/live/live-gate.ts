import type { Logger } from 'pino';
import { SECOND } from '../../../common/time.ts';
import { type Reason, reason } from '../../../common/trading/reasons.ts';
import { loggable } from '../../platform/log.ts';
import { pause } from '../../platform/resilience.ts';
import type { Executor } from '../executors/executor.ts';
import { isNodeAway } from '../executors/trading-node.ts';

/** Time between two checks while the node is away, ms. */
const AGAIN_MS = 10 * SECOND;

/** Decides whether real orders may be signed. */
export interface LiveGate {
  /**
   * Checks the node. Rejects with a StartError for a wrong one; a node that is away is checked again later, and nothing is signed
   * before.
   */
  start(): Promise<void>;
  stop(): void;
  /** Returns whether purchases are refused because the launchpad's program answered in an unknown way. */
  isLocked(): boolean;
  /** Refuses purchases from now on. */
  lock(): void;
  /** Returns the executor with its refusals. Attempts that are out are followed in any case. */
  guarded(executor: Executor): Executor;
}

export function createLiveGate(deps: {
  /** Rejects with a StartError when nothing may ever be signed with this node. */
  checkNode(): Promise<void>;
  log: Logger;
}): LiveGate {
  const { checkNode, log } = deps;
  const stopping = new AbortController();
  let isChecked = false;
  let isLocked = false;

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

  async function checkLater(): Promise<void> {
    while (!stopping.signal.aborted) {
      await pause(AGAIN_MS, stopping.signal);
      if (stopping.signal.aborted || (await checked())) return;
    }
  }

  function refusal(side: 'buy' | 'sell'): Reason | null {
    if (!isChecked) return reason('node-away');
    return isLocked && side === 'buy' ? reason('interface-changed') : null;
  }

  return {
    async start() {
      if (await checked()) return;
      log.warn('node not checked, real orders wait for it');
      checkLater().catch((error: unknown) => log.error({ error: loggable(error) }, 'node refused for real orders'));
    },
    stop: () => stopping.abort(),
    isLocked: () => isLocked,
    lock() {
      if (!isLocked) log.error('launchpad program changed, real buying locked');
      isLocked = true;
    },
    guarded: (executor) => ({
      ...executor,
      async quote(ask) {
        const refused = refusal(ask.side);
        return refused ? { ok: false, reason: refused } : executor.quote(ask);
      },
      async sign(ask, quote, name) {
        const refused = refusal(ask.side);
        return refused ? { ok: false, reason: refused } : executor.sign(ask, quote, name);
      },
    }),
  };
}
