import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { z } from 'zod';
import { address, START } from '../../../testing/observations.ts';
import { clusterUrls, createMintLookup, MAX_LAG, MINTS_PER_REQUEST } from './mint-lookup.ts';

const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const SYSTEM_PROGRAM = '11111111111111111111111111111111';
const MAINNET = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';
const CLOCK = 'SysvarC1ock11111111111111111111111111111111';
const SYSVARS = 'Sysvar1111111111111111111111111111111111111';
const requestSchema = z.object({ id: z.unknown(), method: z.string(), params: z.array(z.unknown()).optional() });

let close: () => void = () => {};
afterEach(() => close());

/** Starts a node with these accounts by owner; responds only with `status` when it is not 200. */
async function node(options: NodeOptions = {}) {
  const { genesis = MAINNET, owners = {}, status = 200, clockAt = START, left = Number.POSITIVE_INFINITY } = options;
  const requests: string[][] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    request.on('end', () => {
      const { id, method, params } = requestSchema.parse(JSON.parse(text));
      response.writeHead(status, { 'content-type': 'application/json' });
      if (method === 'getGenesisHash') return response.end(JSON.stringify({ jsonrpc: '2.0', id, result: genesis }));
      const keys = z.array(z.string()).parse(params?.[0]);
      requests.push(keys);
      const value = keys.slice(0, left).map((key) => {
        if (key === CLOCK && clockAt !== null) return account(SYSVARS, clockData(clockAt));
        const owner = owners[key];
        return owner ? account(owner, '') : null;
      });
      return response.end(JSON.stringify({ jsonrpc: '2.0', id, result: { context: { slot: 1 }, value } }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  close = () => void server.close();
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

const account = (owner: string, data: string) => ({
  owner,
  lamports: 1,
  executable: false,
  rentEpoch: 0,
  data: [data, 'base64'],
});

/** Content of the clock account: its last field is the time of the node's state. */
function clockData(at: number): string {
  const data = Buffer.alloc(40);
  data.writeBigInt64LE(BigInt(Math.floor(at / 1000)), 32);
  return data.toString('base64');
}

interface NodeOptions {
  /** Time of its state, epoch ms; null: it has no clock account. */
  clockAt?: number | null;
  /** Number of accounts in a response. */
  left?: number;
  genesis?: string;
  owners?: Record<string, string>;
  status?: number;
}

const lookup = (url: string) => createMintLookup({ mainnet: url }, { random: () => 0.5, clock: { now: () => START } });

test('requests in batches and ignores accounts of other programs [S7.3-05]', async () => {
  const addresses = Array.from({ length: MINTS_PER_REQUEST + 2 }, (_, number) => address(number + 1));
  const [mint = '', wallet = ''] = addresses;
  const { url, requests } = await node({ owners: { [mint]: TOKEN_PROGRAM, [wallet]: SYSTEM_PROGRAM } });
  const mints = lookup(url);
  expect(await mints.findMints('mainnet', addresses)).toEqual(new Set([mint]));
  // Each includes the clock.
  expect(requests.map(({ length }) => length)).toEqual([MINTS_PER_REQUEST + 1, 3]);
  expect(await mints.findMints('devnet', addresses)).toBeNull();
  mints.stop();
});

test('rejects a node of another cluster or one that refuses [S7.3-05]', async () => {
  const other = await node({ genesis: 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG' });
  expect(await lookup(other.url).findMints('mainnet', [address(1)])).toBeNull();
  close();
  const refusing = await node({ status: 403 });
  expect(await lookup(refusing.url).findMints('mainnet', [address(1)])).toBeNull();
});

test('rejects a node that lags, has no clock or returns too few accounts [S7.3-05]', async () => {
  const owners = { [address(1)]: TOKEN_PROGRAM };
  const wanted = [address(1), address(2)];
  const find = async (options: NodeOptions) => {
    const { url } = await node({ owners, ...options });
    const found = await lookup(url).findMints('mainnet', wanted);
    close();
    return found;
  };
  expect(await find({ clockAt: START - MAX_LAG })).toEqual(new Set([address(1)]));
  expect(await find({ clockAt: START - MAX_LAG - 1_000 })).toBeNull();
  expect(await find({ clockAt: null })).toBeNull();
  expect(await find({ left: 2 })).toBeNull();
});

test('uses only nodes that market or wallets use', () => {
  const local = { cluster: 'local', rpcUrl: 'http://127.0.0.1:8899', wsUrl: '', faucet: true } as const;
  const simulated = { market: [{ kind: 'simulator' }], solanaRpcUrl: null } as const;
  expect(clusterUrls({ ...simulated, market: [...simulated.market] }, local)).toEqual({ local: local.rpcUrl });
  expect(clusterUrls({ market: [{ kind: 'replay', file: 'a' }], solanaRpcUrl: null }, null)).toEqual({});
  // Data services name no node.
  expect(clusterUrls({ market: [{ kind: 'pumpportal' }, { kind: 'jupiter' }], solanaRpcUrl: null }, null)).toEqual({});
  expect(clusterUrls({ market: [{ kind: 'solana' }], solanaRpcUrl: null }, null)).toEqual({
    mainnet: 'https://api.mainnet-beta.solana.com',
  });
  const devnet = 'https://api.devnet.solana.com';
  expect(clusterUrls({ market: [{ kind: 'replay', file: 'a' }], solanaRpcUrl: devnet }, null)).toEqual({ devnet });
});
