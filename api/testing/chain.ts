import { randomUUID } from 'node:crypto';
import { Connection, PublicKey } from '@solana/web3.js';
import { inject } from 'vitest';
import { z } from 'zod';
import type { ChainEndpoint } from '../chain/endpoint.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The local chain of this test run. */
    localChain: { rpcUrl: string; wsUrl: string; launchpadKey: string };
  }
}

/** What the chain does to a call instead of, or before, responding to it. A transaction that is dropped is never executed. */
export type Fault = {
  /** `getBalance`, …; left out: every method. */
  method?: string;
  /** How many calls it meets; default 1. */
  times?: number;
} & (
  | { kind: 'status'; status: number; retryAfterSeconds?: number }
  | { kind: 'error'; code: number; message: string }
  | { kind: 'delay'; ms: number }
  | { kind: 'disconnect' }
  | { kind: 'drop' }
);

/** The run's local chain, under a separate address, so that faults injected here affect no other test. */
export interface TestChain extends ChainEndpoint {
  cluster: 'local';
  launchpadKey: string;
  /** Waits until the SOL is there, in lamports. */
  airdrop(address: string, lamports: number): Promise<void>;
  balance(address: string): Promise<number>;
  /** The next calls of `method` by this address. */
  inject(fault: Fault): Promise<void>;
  clearFaults(): Promise<void>;
  /**
   * Makes the blockhashes given out to this address so far invalid, as though their minute were over. The chain itself
   * goes on: other tests use it.
   */
  expireBlockhashes(): Promise<void>;
}

/** Call it once a test, or once a file. */
export function testChain(): TestChain {
  const own = randomUUID();
  const { rpcUrl, wsUrl, launchpadKey } = inject('localChain');
  const urls = { rpcUrl: `${rpcUrl}/${own}`, wsUrl: `${wsUrl}/${own}` };
  const connection = new Connection(urls.rpcUrl, { commitment: 'confirmed', wsEndpoint: urls.wsUrl });
  return {
    ...urls,
    cluster: 'local',
    launchpadKey,
    faucet: true,
    async airdrop(address, lamports) {
      const block = await connection.getLatestBlockhash();
      const signature = await connection.requestAirdrop(new PublicKey(address), lamports);
      const { value } = await connection.confirmTransaction({ signature, ...block });
      if (value.err !== null) throw new Error(`airdrop failed: ${JSON.stringify(value.err)}`);
    },
    balance: (address) => connection.getBalance(new PublicKey(address)),
    inject: (fault) => control(urls.rpcUrl, 'test_inject', fault),
    clearFaults: () => control(urls.rpcUrl, 'test_clearFaults'),
    expireBlockhashes: () => control(urls.rpcUrl, 'test_expireBlockhashes'),
  };
}

const controlReplySchema = z.object({ error: z.object({ message: z.string() }).optional() });

/** A call that only chains of tests know. */
async function control(rpcUrl: string, method: string, ...params: readonly unknown[]): Promise<void> {
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const { error } = controlReplySchema.parse(await response.json());
  if (error) throw new Error(`${method}: ${error.message}`);
}
