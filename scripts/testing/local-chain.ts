import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { builtFile } from '../../api/testing/built.ts';
import type { Fault } from '../../api/testing/chain.ts';
import type { LocalChain, LocalChainOptions } from '../local-chain/launcher.ts';

/** Fast enough for a test, and slow enough for a busy machine. */
const SLOT_MS = 50;
/** Limits that no test reaches by accident. */
const NO_LIMITS = { perRecipient: 1_000_000, total: 1_000_000 };

/** A local chain of one test, which can stop, kill and restart it. */
export interface PrivateChain {
  /** Stays the same while the launcher runs, also across a kill; `stop` and `start` may change it. */
  readonly rpcUrl: string;
  readonly wsUrl: string;
  readonly launchpadKey: string;
  readonly directory: string;
  /** The chain's process, or null while it is down. */
  pid(): number | null;
  /** Kills the process (kill -9). The launcher restarts it, as in production. */
  kill(): void;
  /** Stops the chain cleanly, until `start`. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Injects a fault into the next calls. */
  inject(fault: Fault): Promise<void>;
  /** Stops the chain and removes its data. Every test must call it at its end. */
  remove(): Promise<void>;
}

/** Loads the built launcher, which starts the built server. */
async function builtLauncher(): Promise<typeof import('../local-chain/launcher.ts')> {
  return import(builtFile('scripts/local-chain/launcher.ts'));
}

/** Starts a private local chain in a fresh temporary directory, with fast slots, no limits and faults to inject. */
export async function startLocalChainForTest(options?: LocalChainOptions): Promise<PrivateChain> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'mintwatch-chain-'));
  const given = { slotMs: SLOT_MS, faucetLimits: NO_LIMITS, testing: true, ...options };
  const { startLocalChain } = await builtLauncher();
  let latest = await startLocalChain(directory, given);
  let chain: LocalChain | null = latest;
  const stop = async (): Promise<void> => {
    const running = chain;
    chain = null;
    await running?.stop();
  };
  return {
    get rpcUrl() {
      return latest.rpcUrl;
    },
    get wsUrl() {
      return latest.wsUrl;
    },
    get launchpadKey() {
      return latest.launchpadKey;
    },
    directory,
    pid: () => chain?.pid() ?? null,
    kill() {
      const pid = chain?.pid();
      if (pid == null) throw new Error('the local chain is not running');
      process.kill(pid, 'SIGKILL');
    },
    stop,
    async start() {
      if (chain) return;
      latest = await startLocalChain(directory, given);
      chain = latest;
    },
    async inject(fault) {
      const response = await fetch(latest.rpcUrl, {
        method: 'POST',
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'test_inject', params: [fault] }),
      });
      await response.arrayBuffer();
    },
    async remove() {
      await stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
