import { afterAll, expect } from 'vitest';
import { privateChain } from '../../testing/private-services.ts';
import { clientOf, post, request } from './client.ts';

/** Starts a chain to attack. The file fails when its process ends meanwhile, even if it is restarted. */
export async function unharmedChain() {
  const lines: string[] = [];
  const chain = await privateChain({ log: (line) => lines.push(line) });
  const pid = chain.pid();
  afterAll(() => expect(lines).toEqual([]));
  const respond = async (body: unknown): Promise<unknown> => (await post(chain.rpcUrl, body)).json();
  return {
    chain,
    client: clientOf(chain),
    /** Resolves with the response to one JSON-RPC body. */
    respond,
    /** Fails unless the first process still responds. */
    async isUp() {
      expect(await respond(request('getHealth'))).toEqual({ jsonrpc: '2.0', id: 1, result: 'ok' });
      expect(chain.pid()).toBe(pid);
    },
  };
}
