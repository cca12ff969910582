import { builtFile } from '../../api/testing/built.ts';
import type { Fault } from '../../api/testing/chain.ts';
import type { LocalChain, LocalChainOptions } from '../local-chain/launcher.ts';
import { type PrivateService, startPrivate } from './private-service.ts';

/** Fast enough for a test, and slow enough for a busy machine. */
const SLOT_MS = 50;
/** Limits that no test reaches by accident. */
const NO_LIMITS = { perRecipient: 1_000_000, total: 1_000_000 };

/** A local chain of one test, which can stop, kill and restart it. */
export interface PrivateChain extends PrivateService {
  /** Stays the same while the launcher runs, also across a kill; `stop` and `start` may change it. */
  readonly rpcUrl: string;
  readonly wsUrl: string;
  readonly launchpadKey: string;
  /** Injects a fault into the next calls. */
  inject(fault: Fault): Promise<void>;
}

/** `startLocalChain` of the built launcher, which starts the built server: from its sources a chain takes a second longer. */
export async function startBuiltChain(directory: string, options?: LocalChainOptions): Promise<LocalChain> {
  const launcher: typeof import('../local-chain/launcher.ts') = await import(
    builtFile('scripts/local-chain/launcher.ts')
  );
  return launcher.startLocalChain(directory, options);
}

/** Starts a private local chain in a fresh temporary directory, with fast slots, no limits and faults to inject. */
export async function startLocalChainForTest(options?: LocalChainOptions): Promise<PrivateChain> {
  const given = { slotMs: SLOT_MS, faucetLimits: NO_LIMITS, testing: true, ...options };
  const { service, latest } = await startPrivate((directory) => startBuiltChain(directory, given));
  return {
    ...service,
    get rpcUrl() {
      return latest().rpcUrl;
    },
    get wsUrl() {
      return latest().wsUrl;
    },
    get launchpadKey() {
      return latest().launchpadKey;
    },
    async inject(fault) {
      const response = await fetch(latest().rpcUrl, {
        method: 'POST',
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'test_inject', params: [fault] }),
      });
      await response.arrayBuffer();
    },
  };
}
