import { once } from 'node:events';
import net from 'node:net';

/** A way to MongoDB that a test can cut: connections are refused while it is down. */
export interface MongoProxy {
  uri: string;
  down(): Promise<void>;
  up(): Promise<void>;
}

/** Puts a proxy on a free port before the server of `uri`, which may be a Unix socket. */
export async function mongoProxy(uri: string): Promise<MongoProxy> {
  const parts = /^mongodb:\/\/([^/?]+)(\/.*)?$/.exec(uri);
  if (!parts?.[1]) throw new Error('not a MongoDB URI of one server');
  const target = decodeURIComponent(parts[1]);
  const sockets = new Set<net.Socket>();
  let port = 0;

  const connect = () => {
    const [host, number] = target.split(':');
    return target.startsWith('/') ? net.connect(target) : net.connect(Number(number), host);
  };
  const server = net.createServer((client) => {
    const upstream = connect();
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
      // Cutting connections is what this is for: each end notices by itself.
      socket.on('error', () => socket.destroy());
    }
    client.pipe(upstream).pipe(client);
  });

  const proxy = {
    uri: '',
    async down() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
    async up() {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
      const address = server.address();
      if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
      port = address.port;
    },
  };
  await proxy.up();
  proxy.uri = `mongodb://127.0.0.1:${port}${parts[2] ?? '/'}`;
  return proxy;
}
