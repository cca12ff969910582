import { expect } from 'vitest';
import { type PrivateChain, startLocalChainForTest } from '../../testing/local-chain.ts';
import { type Client, clientOf, post, request } from './client.ts';

/** A chain that is attacked: whatever it is sent, its process must go on. */
export interface UnharmedChain {
  chain: PrivateChain;
  client: Client;
  /** What it answers to one JSON-RPC body. */
  answer(body: unknown): Promise<unknown>;
  /** Fails unless it answers, and is the process that was started. */
  isUp(): Promise<void>;
  /** Removes it; fails if it ended in between, even if it was started again. */
  remove(): Promise<void>;
}

export async function startUnharmedChain(): Promise<UnharmedChain> {
  const lines: string[] = [];
  const chain = await startLocalChainForTest({ log: (line) => lines.push(line) });
  const pid = chain.pid();
  const answer = async (body: unknown): Promise<unknown> => (await post(chain.rpcUrl, body)).json();
  return {
    chain,
    client: clientOf(chain),
    answer,
    async isUp() {
      expect(await answer(request('getHealth'))).toEqual({ jsonrpc: '2.0', id: 1, result: 'ok' });
      expect(chain.pid()).toBe(pid);
    },
    async remove() {
      await chain.remove();
      expect(lines).toEqual([]);
    },
  };
}
