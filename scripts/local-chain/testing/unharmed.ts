import { expect } from 'vitest';
import { type PrivateChain, startLocalChainForTest } from '../../testing/local-chain.ts';
import { type Client, clientOf, post, request } from './client.ts';

/** A chain under attack, whose process must survive. */
export interface UnharmedChain {
  chain: PrivateChain;
  client: Client;
  /** Resolves with the response to one JSON-RPC body. */
  respond(body: unknown): Promise<unknown>;
  /** Fails unless the first process still responds. */
  isUp(): Promise<void>;
  /** Removes the chain. Fails when its process ended meanwhile, even if it was restarted. */
  remove(): Promise<void>;
}

export async function startUnharmedChain(): Promise<UnharmedChain> {
  const lines: string[] = [];
  const chain = await startLocalChainForTest({ log: (line) => lines.push(line) });
  const pid = chain.pid();
  const respond = async (body: unknown): Promise<unknown> => (await post(chain.rpcUrl, body)).json();
  return {
    chain,
    client: clientOf(chain),
    respond,
    async isUp() {
      expect(await respond(request('getHealth'))).toEqual({ jsonrpc: '2.0', id: 1, result: 'ok' });
      expect(chain.pid()).toBe(pid);
    },
    async remove() {
      await chain.remove();
      expect(lines).toEqual([]);
    },
  };
}
