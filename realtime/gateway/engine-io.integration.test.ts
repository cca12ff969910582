import { once } from 'node:events';
import { createServer } from 'node:http';
import { Server } from 'socket.io';
import { afterEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { type Connection, cut, dropHandshake, queuedBytes, queuedPackets, textFrame, writeFrame } from './engine-io.ts';

let io: Server;
afterEach(() => io.close());

/** Opens a bare Engine.IO connection that is not read. */
async function unreadConnection(): Promise<{ connection: Connection; client: WebSocket }> {
  const http = createServer();
  io = new Server(http);
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const address = http.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const arrived = once(io.engine, 'connection');
  const client = new WebSocket(`ws://127.0.0.1:${address.port}/socket.io/?EIO=4&transport=websocket`);
  client.on('error', () => {});
  const [connection] = await arrived;
  await once(client, 'message');
  client.pause();
  return { connection, client };
}

test('reads the queue of this version of Engine.IO, in packets and bytes [F6]', async () => {
  const { connection, client } = await unreadConnection();
  await expect.poll(() => [queuedPackets(connection), queuedBytes(connection)]).toEqual([0, 0]);
  // More than the kernel takes for a client that does not read.
  const filling = 'x'.repeat(32 * 1024 * 1024);
  connection.write(filling);
  await expect.poll(() => queuedBytes(connection)).toBeGreaterThan(0);
  expect(queuedPackets(connection)).toBe(0);
  const onItsWay = queuedBytes(connection);
  connection.write('12345');
  connection.write('12345');
  expect(queuedPackets(connection)).toBe(2);
  expect(queuedBytes(connection)).toBe(onItsWay + 10);
  const closed = once(connection, 'close');
  cut(connection);
  await closed;
  expect(connection.readyState).toBe('closed');
  client.terminate();
});

test('writes frames of any length past the queue, and none while something is queued or the client does not read [F6]', async () => {
  const { connection, client } = await unreadConnection();
  const received: string[] = [];
  client.on('message', (data) => void received.push(String(data)));
  client.resume();
  const messages = ['4', 'é', 'x'.repeat(125), 'x'.repeat(126), 'ü'.repeat(40_000), 'x'.repeat(65_535)];
  for (const message of messages) {
    expect(writeFrame(connection, textFrame(message))).toBe(true);
    await expect.poll(() => received.at(-1) === message).toBe(true);
  }
  connection.write('one');
  connection.write('two');
  expect(queuedPackets(connection)).toBe(1);
  expect(writeFrame(connection, textFrame('4three'))).toBe(false);
  await expect.poll(() => received.slice(-2)).toEqual(['4one', '4two']);
  client.pause();
  const frame = textFrame('x'.repeat(1024 * 1024));
  let written = 0;
  while (writeFrame(connection, frame)) written += 1;
  expect(written).toBeGreaterThan(0);
  expect(queuedBytes(connection)).toBeLessThan(2 * frame.length);
  client.terminate();
});

test('drops request, data and listeners of a handshake, and the connection works and ends as before', async () => {
  const { connection, client } = await unreadConnection();
  const arrived = once(io, 'connection');
  client.resume();
  client.send('40');
  const [socket] = await arrived;
  const { transport } = socket.conn;
  const counts = () => ({
    request: socket.conn.request !== null,
    headers: transport.listenerCount('headers'),
    upgradeErrors: transport.socket.listenerCount('error'),
    others: ['error', 'ready', 'packet', 'drain', 'close'].map((name) => transport.listenerCount(name)),
  });
  // Fails when an upgrade of Engine.IO names or keeps them otherwise.
  expect(counts()).toEqual({ request: true, headers: 1, upgradeErrors: 2, others: [1, 1, 1, 1, 1] });
  dropHandshake(socket);
  expect(counts()).toEqual({ request: false, headers: 0, upgradeErrors: 1, others: [1, 1, 1, 1, 1] });
  expect(socket.handshake.auth).toEqual({});
  const received: string[] = [];
  client.on('message', (data) => void received.push(String(data)));
  // More than one flush of the queue.
  for (const text of ['one', 'two', 'three']) connection.write(text);
  await expect.poll(() => received.slice(-3)).toEqual(['4one', '4two', '4three']);
  const reason = once(socket, 'disconnect');
  client.terminate();
  expect((await reason)[0]).toBe('transport close');
});
