import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { z } from 'zod';
import { address } from '../market/testing/observations.ts';
import { clusterUrls, createMintLookup, MINTS_AT_ONCE } from './mintLookup.ts';

const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const SYSTEM_PROGRAM = '11111111111111111111111111111111';
const MAINNET = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';
const question = z.object({ id: z.unknown(), method: z.string(), params: z.array(z.unknown()).optional() });

let close: () => void = () => {};
afterEach(() => close());

/** A node that knows these accounts by owner; a status other than 200 is all it says. */
async function node({ genesis = MAINNET, owners = {}, status = 200 }: NodeOptions = {}) {
  const asked: string[][] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    request.on('end', () => {
      const { id, method, params } = question.parse(JSON.parse(text));
      response.writeHead(status, { 'content-type': 'application/json' });
      if (method === 'getGenesisHash') return response.end(JSON.stringify({ jsonrpc: '2.0', id, result: genesis }));
      const keys = z.array(z.string()).parse(params?.[0]);
      asked.push(keys);
      const value = keys.map((key) => {
        const owner = owners[key];
        return owner ? { owner, lamports: 1, executable: false, rentEpoch: 0, data: ['', 'base64'] } : null;
      });
      return response.end(JSON.stringify({ jsonrpc: '2.0', id, result: { context: { slot: 1 }, value } }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  close = () => void server.close();
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

interface NodeOptions {
  genesis?: string;
  owners?: Record<string, string>;
  status?: number;
}

const lookup = (url: string) => createMintLookup({ mainnet: url }, () => 0.5);

test('S7.3-05 asks in batches; an account of another program is no mint', async () => {
  const addresses = Array.from({ length: MINTS_AT_ONCE + 2 }, (_, number) => address(number + 1));
  const [mint = '', wallet = ''] = addresses;
  const { url, asked } = await node({ owners: { [mint]: TOKEN_PROGRAM, [wallet]: SYSTEM_PROGRAM } });
  const mints = lookup(url);
  expect(await mints.known('mainnet', addresses)).toEqual(new Set([mint]));
  expect(asked.map(({ length }) => length)).toEqual([MINTS_AT_ONCE, 2]);
  expect(await mints.known('devnet', addresses)).toBeNull();
  mints.stop();
});

test('S7.3-05 a node of another cluster, or one that refuses, is no answer', async () => {
  const other = await node({ genesis: 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG' });
  expect(await lookup(other.url).known('mainnet', [address(1)])).toBeNull();
  close();
  const refusing = await node({ status: 403 });
  expect(await lookup(refusing.url).known('mainnet', [address(1)])).toBeNull();
});

test('only nodes that are used anyway are asked', () => {
  const local = { cluster: 'local', rpcUrl: 'http://127.0.0.1:8899', wsUrl: '', faucet: true } as const;
  const simulated = { market: [{ kind: 'simulator' }], solanaRpcUrl: null } as const;
  expect(clusterUrls({ ...simulated, market: [...simulated.market] }, local)).toEqual({ local: local.rpcUrl });
  expect(clusterUrls({ market: [{ kind: 'replay', file: 'a' }], solanaRpcUrl: null }, null)).toEqual({});
  expect(clusterUrls({ market: [{ kind: 'solana' }], solanaRpcUrl: null }, null)).toEqual({
    mainnet: 'https://api.mainnet-beta.solana.com',
  });
  const devnet = 'https://api.devnet.solana.com';
  expect(clusterUrls({ market: [{ kind: 'replay', file: 'a' }], solanaRpcUrl: devnet }, null)).toEqual({ devnet });
});
