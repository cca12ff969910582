import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { pumpAddresses } from '../pump/interface.ts';
import { createJupiterClient } from './client.ts';
import { mint, other, wallet } from './testing/mainnet-response.ts';

const request = {
  inputMint: pumpAddresses.quoteMint,
  outputMint: mint.toBase58(),
  amount: 1_000n,
  taker: wallet.toBase58(),
  slippageBps: 250,
};
const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/** Starts a server with one response, and a client of it. */
async function clientOf(
  respond: (request: IncomingMessage, response: ServerResponse) => void,
  { key = null, timeoutMs }: { key?: string | null; timeoutMs?: number } = {},
) {
  const server = createServer(respond);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const client = createJupiterClient({
    url: `http://127.0.0.1:${port}`,
    apiKey: () => key,
    random: Math.random,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  });
  stops.push(() => {
    client.stop();
    server.closeAllConnections();
    server.close();
  });
  return client;
}
const json = (body: unknown) => (_: IncomingMessage, response: ServerResponse) =>
  void response.end(JSON.stringify(body));

const instruction = {
  programId: other.toBase58(),
  accounts: [{ pubkey: wallet.toBase58(), isSigner: true, isWritable: true }],
  data: Buffer.of(1, 2).toString('base64'),
};
const built = {
  inAmount: '1000',
  outAmount: '5',
  swapMode: 'ExactIn',
  routePlan: [],
  computeBudgetInstructions: [instruction],
  setupInstructions: [],
  swapInstruction: instruction,
  cleanupInstruction: null,
  otherInstructions: [],
  addressesByLookupTableAddress: null,
  blockhashWithMetadata: { blockhash: [1], lastValidBlockHeight: 1 },
};

describe('a request to Jupiter', () => {
  test('names the swap, and the key in a header', async () => {
    let seen: IncomingMessage | undefined;
    const client = await clientOf(
      (received, response) => {
        seen = received;
        response.end(JSON.stringify(built));
      },
      { key: 'key' },
    );
    expect(await client.build(request)).toMatchObject({ ok: true, value: { outAmount: 5n, inAmount: 1_000n } });
    const { pathname, searchParams } = new URL(seen?.url ?? '', 'http://jupiter');
    expect(pathname).toBe('/swap/v2/build');
    expect(Object.fromEntries(searchParams)).toEqual({
      ...request,
      amount: '1000',
      slippageBps: '250',
      maxAccounts: '40',
    });
    expect(seen?.headers['x-api-key']).toBe('key');
  });

  test.each([
    ['no object', 'no'],
    ['no instructions', { ...built, swapInstruction: undefined }],
    ['a negative amount', { ...built, outAmount: '-5' }],
    ['a wrong address', { ...built, swapInstruction: { ...instruction, programId: 'O'.repeat(40) } }],
    ['data that is not base64', { ...built, swapInstruction: { ...instruction, data: '§' } }],
    ['very much data', { ...built, swapInstruction: { ...instruction, data: 'A'.repeat(8_000) } }],
    ['very many instructions', { ...built, setupInstructions: Array.from({ length: 100 }, () => instruction) }],
  ])('refuses a response with %s', async (_, body) => {
    const client = await clientOf(json(body));
    expect(await client.build(request)).toEqual({ ok: false, reason: { code: 'route-unreadable', numbers: {} } });
  });

  test.each([
    [400, 'no-route'],
    [401, 'route-denied'],
    [403, 'route-denied'],
    [429, 'route-away'],
    [500, 'route-away'],
    [302, 'route-away'],
  ])('with the status %i is refused as %s', async (status, code) => {
    const client = await clientOf((_, response) => void response.writeHead(status, { location: '/' }).end('{}'));
    expect(await client.build(request)).toMatchObject({ ok: false, reason: { code } });
  });

  test('ends when no response comes, and when no server is there', async () => {
    const client = await clientOf(() => {}, { timeoutMs: 200 });
    expect(await client.build(request)).toMatchObject({ reason: { code: 'route-away' } });
    const gone = createJupiterClient({ url: 'http://127.0.0.1:9', apiKey: () => null, random: Math.random });
    stops.push(gone.stop);
    expect(await gone.build(request)).toMatchObject({ reason: { code: 'route-away' } });
  });
});
