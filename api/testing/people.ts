import { io, type Socket } from 'socket.io-client';
import { onTestFinished } from 'vitest';
import { PROTOCOL_VERSION } from '../../common/live/protocol.ts';
import type { UserData } from '../../common/live/user-data.ts';
import { usernameKey } from '../users/model.ts';
import type { Reply, RequestOptions, TestServer } from './server.ts';
import { userIdOf } from './wallets.ts';

/** Somebody who is signed in. */
export interface Person {
  id: string;
  cookie: string;
  call(path: string, options?: RequestOptions): Promise<Reply>;
}

/** Registers a user; an administrator gets the right before anything else. */
export async function person(server: TestServer, username: string, { isAdmin = false } = {}): Promise<Person> {
  // Names of administrators, such as Root, can't be registered.
  const registered = isAdmin ? `${username} of a test` : username;
  const cookie = await server.register(registered);
  if (isAdmin) {
    const rights = { isAdmin: true, username, usernameKey: usernameKey(username) };
    await server.connection.collection('users').updateOne({ username: registered }, { $set: rights });
  }
  return {
    id: await userIdOf(server, cookie),
    cookie,
    call: (path, options) => server.fetchJson(path, { ...options, cookie }),
  };
}

/** A socket of a person, to the end of the test. */
export async function socketOf(server: TestServer, { cookie }: Pick<Person, 'cookie'>): Promise<Socket> {
  const socket = io(server.url, {
    transports: ['websocket'],
    forceNew: true,
    reconnection: false,
    auth: { protocol: PROTOCOL_VERSION },
    extraHeaders: { cookie },
  });
  onTestFinished(() => void socket.close());
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', () => resolve());
    socket.once('connect_error', reject);
  });
  return socket;
}

/** An open tab of a person: what it hears of the person's own data. `settled` resolves when all that was said has arrived. */
export async function tabOf(server: TestServer, owner: Person) {
  const socket = await socketOf(server, owner);
  const received: UserData[] = [];
  socket.on('user-data', (change: UserData) => received.push(change));
  const ack: unknown = await socket.emitWithAck('subscribe', { topic: `user:${owner.id}` });
  return { socket, received, ack, settled: () => socket.emitWithAck('echo', {}) };
}
