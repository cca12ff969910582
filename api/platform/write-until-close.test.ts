import { once } from 'node:events';
import net from 'node:net';
import { MongoClient, MongoNetworkError } from 'mongodb';
import { Connection } from 'mongodb/lib/cmap/connection.js';
import mongoose from 'mongoose';
import { expect, onTestFinished, test } from 'vitest';
import './write-until-close.ts';

const ADMIN = { db: 'admin' };

/** Connects to a server that reads nothing. */
async function connect() {
  const server = net.createServer({ pauseOnConnect: true }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  const socket = net.connect(address.port, '127.0.0.1');
  const [[peer]] = await Promise.all([once(server, 'connection'), once(socket, 'connect')]);
  onTestFinished(() => {
    peer.destroy();
    server.close();
  });
  return { socket, connection: new Connection(socket, { id: 1, generation: 0, hostAddress: 'silent' }) };
}

test('a command on a connection that is about to close fails', async () => {
  const { socket, connection } = await connect();
  socket.destroy();
  await expect(connection.command(ADMIN, { ping: 1 }, {})).rejects.toThrow(MongoNetworkError);
});

test('a command that waits to be written fails when its connection closes', async () => {
  const { socket, connection } = await connect();
  const failure = expect(connection.command(ADMIN, { ping: 'x'.repeat(16_000_000) }, {})).rejects.toThrow(
    MongoNetworkError,
  );
  await expect.poll(() => socket.writableNeedDrain).toBe(true);
  connection.destroy();
  await failure;
  expect(connection.listenerCount('close')).toBe(0);
});

test('the driver that is changed is the one of Mongoose', () => {
  expect(mongoose.mongo.MongoClient).toBe(MongoClient);
});
