import { once } from 'node:events';
import { connect as connectSocket, type Socket } from 'node:net';
import { expect, test, vi } from 'vitest';
import WebSocket from 'ws';
import { post, request, SOL, WAIT } from './testing/client.ts';
import { unharmedChain } from './testing/unharmed.ts';

const { chain, client, isUp } = await unharmedChain();
const { connection } = client;

/** Opens a connection whose end is no error. */
function openSocket(): Socket {
  const socket = connectSocket(Number(new URL(chain.rpcUrl).port), '127.0.0.1');
  return socket.on('error', () => {}).resume();
}

/** Opens a connection and writes only `start`. Resolves when the server has closed it. */
async function closedByServer(start: string): Promise<void> {
  const socket = openSocket();
  socket.write(start);
  await once(socket, 'close');
}

test('slow and vanished clients block no other client', { timeout: 40_000 }, async () => {
  const slow = [
    closedByServer('POST / HTTP/1.1\r\nHost: x\r\n'),
    closedByServer('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 50\r\n\r\n{'),
    closedByServer('nonsense\r\n\r\n'),
  ];
  for (let n = 0; n < 200; n++) {
    const socket = openSocket();
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 90\r\n\r\n{"jsonrpc"', () => socket.destroy());
  }
  await isUp();
  await Promise.all(slow);
  await isUp();
});

test('survives nonsense, floods and sudden ends over WebSocket', async () => {
  const { publicKey } = await client.funded(SOL);
  const sockets = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const socket = new WebSocket(chain.wsUrl);
      await once(socket, 'open');
      return socket;
    }),
  );
  const [first] = sockets;
  if (!first) throw new Error('no socket');
  const replies: { id?: unknown; result?: unknown; error?: { code: number } }[] = [];
  first.on('message', (data) => replies.push(JSON.parse(String(data))));
  for (const text of [
    '{',
    '[]',
    'null',
    '5',
    JSON.stringify(request('programSubscribe', [], 2)),
    JSON.stringify(request('accountSubscribe', ['x'], 3)),
  ]) {
    first.send(text);
  }
  first.send(JSON.stringify(request('accountUnsubscribe', [12_345], 4)));
  for (let id = 10; id < 520; id++) first.send(JSON.stringify(request('accountSubscribe', [publicKey.toBase58()], id)));
  await vi.waitFor(() => expect(replies.some(({ id }) => id === 519)).toBe(true), WAIT);
  expect(replies.filter(({ error }) => error?.code === -32700)).toHaveLength(3);
  expect(replies.find(({ id }) => id === 2)?.error?.code).toBe(-32601);
  expect(replies.find(({ id }) => id === 3)?.error?.code).toBe(-32602);
  expect(replies.find(({ id }) => id === 4)?.error?.code).toBe(-32602);
  // The limit of one client.
  expect(replies.filter(({ result }) => typeof result === 'number')).toHaveLength(500);
  for (const socket of sockets.slice(1)) {
    for (let id = 0; id < 50; id++) socket.send(JSON.stringify(request('logsSubscribe', ['all'], id)));
    socket.terminate();
  }
  const tooLong = sockets[0];
  tooLong?.on('error', () => {});
  tooLong?.send('x'.repeat(100_000));
  await once(first, 'close');
  await connection.requestAirdrop(publicKey, SOL);
  await isUp();
});

test('responds to a flood of requests, and refuses connections above the limit', async () => {
  const alice = await client.funded();
  const requestBalance = async () =>
    (await post(chain.rpcUrl, request('getBalance', [alice.publicKey.toBase58()]))).status;
  for (let round = 0; round < 3; round++) {
    const statuses = await Promise.all(Array.from({ length: 300 }, requestBalance));
    expect(new Set(statuses)).toEqual(new Set([200]));
  }
  let closed = 0;
  const many = Array.from({ length: 1500 }, () => openSocket().on('close', () => closed++));
  await vi.waitFor(() => expect(closed).toBeGreaterThanOrEqual(500), WAIT);
  for (const socket of many) socket.destroy();
  await vi.waitFor(isUp, WAIT);
});
