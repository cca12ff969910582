import { PublicKey } from '@solana/web3.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createRpc, type Rpc } from '../../../../chain/rpc.ts';
import { type FakeNode, type NodeResponse, startFakeNode } from '../../../../chain/testing/fake-node.ts';
import { eventually, testContext } from '../../testing/source-context.ts';
import { fixture } from '../testing/events.ts';
import { createFactsReader } from './facts-reader.ts';
import { readLargestHolders, readMint } from './mint-facts.ts';

const mint = '97QUsKyZ1tDbBkWzowCixaZHPfMHz3ME8LQzwa9Upump';
const curve = 'Ht9zeVq2X7xCiUR1Y2dgVudkyvuXmNs3Q2cXU3is6emp';
const token2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb';

let node: FakeNode;
let rpc: Rpc;
let now = 1_000_000;

beforeEach(async () => {
  node = await startFakeNode();
  rpc = createRpc({
    url: node.rpcUrl,
    random: () => 0.5,
    limits: { perSecond: 1_000, burst: 1_000, retries: 1, retryBaseMs: 5 },
  });
});
afterEach(async () => {
  rpc.stop();
  await node.close();
});

function recorded(name: string): NodeResponse {
  const { result, error } = JSON.parse(fixture(name));
  return error === undefined ? { result } : { error };
}

function mintWith(info: object, owner = token2022): NodeResponse {
  const parsed = {
    type: 'mint',
    info: { decimals: 6, supply: '1', mintAuthority: null, freezeAuthority: null, ...info },
  };
  const data = { program: 'spl-token-2022', parsed, space: 82 };
  const value = { data, executable: false, lamports: 1, owner, rentEpoch: 0, space: 82 };
  return { result: { context: { slot: 5 }, value } };
}

async function extensionsOf(...extensions: { extension: string; state?: object }[]) {
  node.on('getAccountInfo', () => mintWith({ extensions }));
  return (await readMint(rpc, mint))?.facts;
}

describe('readMint', () => {
  test('reads a Token-2022 coin of pump.fun without findings', async () => {
    node.on('getAccountInfo', () => recorded('getAccountInfo_mint_token2022.json'));
    expect(await readMint(rpc, mint)).toEqual({
      slot: 436_240_000,
      facts: {
        decimals: 6,
        totalSupply: '1000000000000000',
        mintAuthority: 'revoked',
        freezeAuthority: 'revoked',
        extensions: [],
        transferFeeBps: 0,
        metadataMutable: false,
      },
    });
    expect(node.callsOf('getAccountInfo')[0]?.params).toEqual([
      mint,
      { encoding: 'jsonParsed', commitment: 'confirmed' },
    ]);
  });

  test('keeps a supply beyond a double and leaves metadata outside the mint unknown', async () => {
    node.on('getAccountInfo', () => recorded('getAccountInfo_mint.json'));
    const read = await readMint(rpc, mint);
    expect(read?.facts).toMatchObject({ decimals: 5, totalSupply: '8799471343582888521', mintAuthority: 'revoked' });
    expect(read?.facts).not.toHaveProperty('metadataMutable');
  });

  test('reads live authorities', async () => {
    node.on('getAccountInfo', () => recorded('getAccountInfo_mint_authorities_live.json'));
    expect((await readMint(rpc, mint))?.facts).toMatchObject({ mintAuthority: 'live', freezeAuthority: 'live' });
  });

  test.each([
    ['permanentDelegate', { delegate: curve }, { delegate: null }],
    ['transferHook', { authority: null, programId: curve }, { authority: null, programId: null }],
    ['defaultAccountState', { accountState: 'frozen' }, { accountState: 'initialized' }],
    ['pausableConfig', { authority: curve, paused: false }, { authority: null, paused: false }],
    ['mintCloseAuthority', { closeAuthority: curve }, { closeAuthority: null }],
  ])('reports %s while it is on', async (extension, on, off) => {
    expect((await extensionsOf({ extension, state: on }))?.extensions).toEqual([extension]);
    expect((await extensionsOf({ extension, state: off }))?.extensions).toEqual([]);
    // An unreadable state does not count as off.
    expect((await extensionsOf({ extension }))?.extensions).toEqual([extension]);
  });

  test('always reports nonTransferable', async () => {
    expect((await extensionsOf({ extension: 'nonTransferable' }))?.extensions).toEqual(['nonTransferable']);
  });

  test('treats an unknown extension as unknown, not as safe', async () => {
    expect((await extensionsOf({ extension: 'somethingNew', state: {} }))?.extensions).toBeNull();
    expect((await extensionsOf({ extension: 'unparseableExtension' }))?.transferFeeBps).toBeNull();
  });

  test('returns the larger of the current and the announced transfer fee', async () => {
    const fee = (transferFeeBasisPoints: number) => ({ epoch: 1, maximumFee: 1, transferFeeBasisPoints });
    const state = { olderTransferFee: fee(50), newerTransferFee: fee(700) };
    expect(await extensionsOf({ extension: 'transferFeeConfig', state })).toMatchObject({
      extensions: [],
      transferFeeBps: 700,
    });
    expect(await extensionsOf({ extension: 'transferFeeConfig', state: {} })).toMatchObject({ transferFeeBps: null });
  });

  test('resolves with null for a missing account, another program or no mint', async () => {
    node.on('getAccountInfo', () => ({ result: { context: { slot: 5 }, value: null } }));
    expect(await readMint(rpc, mint)).toBeNull();
    node.on('getAccountInfo', () => mintWith({}, '11111111111111111111111111111111'));
    expect(await readMint(rpc, mint)).toBeNull();
    node.on('getAccountInfo', () => mintWith({ decimals: 'six' }));
    expect(await readMint(rpc, mint)).toBeNull();
  });
});

/** Responds with the owners of token accounts, as `getMultipleAccounts` with a slice does. */
function respondWithOwners(owners: (string | null)[]): void {
  node.on('getMultipleAccounts', () => ({
    result: {
      context: { slot: 6 },
      value: owners.map((owner) =>
        owner === null
          ? null
          : {
              data: [new PublicKey(owner).toBuffer().toString('base64'), 'base64'],
              executable: false,
              lamports: 1,
              owner: token2022,
              rentEpoch: 0,
            },
      ),
    },
  }));
}

const wallets = Array.from({ length: 12 }, (_, index) => new PublicKey(Buffer.alloc(32, index + 1)).toBase58());
const [curveOwner = '', first = '', second = ''] = wallets;

describe('readLargestHolders', () => {
  test('groups accounts by owner without the curve', async () => {
    node.on('getTokenLargestAccounts', () => recorded('getTokenLargestAccounts.json'));
    respondWithOwners([curveOwner, first, second, first, ...wallets.slice(4)]);
    const { slot, facts } = await readLargestHolders(rpc, mint, new Set([curveOwner]));
    expect(slot).toBe(436_240_000);
    expect(facts.largestHolders?.slice(0, 3)).toEqual([
      { wallet: first, amount: 41_250_000_000_000 + 27_534_883_660_147 },
      { wallet: second, amount: 28_400_000_000_000 },
      { wallet: wallets[4], amount: 21_500_000_000_000 },
    ]);
    expect(facts.largestHolders?.map(({ wallet }) => wallet)).not.toContain(curveOwner);
    expect(node.callsOf('getMultipleAccounts')[0]?.params[1]).toMatchObject({ dataSlice: { offset: 32, length: 32 } });
  });

  test('resolves with null for an unreadable owner or amount', async () => {
    node.on('getTokenLargestAccounts', () => recorded('getTokenLargestAccounts.json'));
    respondWithOwners([curveOwner, null, ...wallets.slice(2)]);
    expect((await readLargestHolders(rpc, mint, new Set())).facts).toEqual({ largestHolders: null });

    const huge = { address: curve, amount: '9007199254740993', decimals: 6, uiAmount: 1, uiAmountString: '1' };
    node.on('getTokenLargestAccounts', () => ({ result: { context: { slot: 1 }, value: [huge] } }));
    respondWithOwners([first]);
    expect((await readLargestHolders(rpc, mint, new Set())).facts).toEqual({ largestHolders: null });
  });
});

describe('createFactsReader', () => {
  function reader() {
    const { log, observe, observations } = testContext();
    const facts = createFactsReader({ rpc, clock: { now: () => now }, log, observe, missingPauseMs: 1 });
    return {
      observations,
      /** Requests tokens, one request each. */
      request(...addresses: string[]) {
        for (const address of addresses) facts.request([{ address, excluded: () => [curveOwner] }]);
      },
      idle: () => eventually(() => facts.size()).toBe(0),
      stop: facts.stop,
    };
  }

  beforeEach(() => {
    node.on('getAccountInfo', () => recorded('getAccountInfo_mint_token2022.json'));
    node.on('getTokenLargestAccounts', () => recorded('getTokenLargestAccounts.json'));
    respondWithOwners(wallets);
  });

  test('observes mint and holders, each with its slot, as source rpc', async () => {
    const { observations, request, idle } = reader();
    request(mint);
    await idle();
    expect(observations).toMatchObject([
      { kind: 'facts', source: 'rpc', address: mint, at: now, slot: 436_240_000, facts: { mintAuthority: 'revoked' } },
      {
        kind: 'facts',
        source: 'rpc',
        address: mint,
        facts: { largestHolders: [{ wallet: first }, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}] },
      },
    ]);
  });

  test('reads a token once within its time to live', async () => {
    const { observations, request, idle } = reader();
    request(mint, mint);
    await idle();
    now += 599_999;
    request(mint);
    await idle();
    expect(observations).toHaveLength(2);
    now += 2;
    request(mint);
    await idle();
    expect(observations).toHaveLength(4);
  });

  test('observes the mint without holders while the index is overloaded, and reads the token again on request', async () => {
    node.on('getTokenLargestAccounts', () => recorded('getTokenLargestAccounts_error_32603.json'));
    const { observations, request, idle } = reader();
    request(mint);
    await idle();
    expect(observations).toMatchObject([{ facts: { mintAuthority: 'revoked' } }]);
    expect(node.callsOf('getTokenLargestAccounts')).toHaveLength(2);
    node.on('getTokenLargestAccounts', () => recorded('getTokenLargestAccounts.json'));
    request(mint);
    await idle();
    expect(observations.at(-1)).toMatchObject({
      facts: { largestHolders: [{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}] },
    });
  });

  test('retries a mint that the node does not have yet', async () => {
    node.on('getAccountInfo', (_params, nth) =>
      nth < 2 ? { result: { context: { slot: 5 }, value: null } } : recorded('getAccountInfo_mint_token2022.json'),
    );
    const { observations, request, idle } = reader();
    request(mint);
    await idle();
    expect(node.callsOf('getAccountInfo')).toHaveLength(3);
    expect(observations).toHaveLength(2);
  });

  test('observes nothing after stop', async () => {
    const { observations, request, idle, stop } = reader();
    request(mint);
    stop();
    await idle();
    expect(observations).toEqual([]);
  });
});
