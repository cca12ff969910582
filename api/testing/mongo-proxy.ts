import { once } from 'node:events';
import net from 'node:net';

/** Stands between a server and its MongoDB, so that a test can take the database away and bring it back. */
export interface MongoProxy {
  /** What to connect to instead. */
  uri: string;
  /** Ends every connection and refuses new ones: the server is gone. */
  cut(): Promise<void>;
  /** Keeps connections but passes nothing on: the server hangs. */
  freeze(): void;
  /** Passes everything on later by `ms`: the server, or its disk, is busy. */
  slow(ms: number): void;
  /** As if nothing had happened. */
  restore(): Promise<void>;
  close(): Promise<void>;
}

export async function proxyMongo(uri: string): Promise<MongoProxy> {
  const { target, rest } = takeApart(uri);
  const sockets = new Set<net.Socket>();
  let frozen = false;
  let delay = 0;
  let port = 0;

  const server = net.createServer((near) => {
    const far = net.connect(target);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('data', (data) => {
        if (frozen) return;
        if (delay === 0) to.write(data);
        else setTimeout(() => to.write(data), delay);
      });
      // The end of either side, and any error, ends both: data in transit is lost, as with a real server.
      from.on('error', () => {});
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });

  async function listen(): Promise<void> {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (typeof address === 'object' && address) port = address.port;
  }

  async function cut(): Promise<void> {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  }

  await listen();
  return {
    uri: `mongodb://127.0.0.1:${port}${rest}`,
    cut,
    freeze() {
      frozen = true;
    },
    slow(ms) {
      delay = ms;
    },
    async restore() {
      frozen = false;
      delay = 0;
      if (!server.listening) return listen();
      // Discarded data would leave the protocol out of step.
      for (const socket of sockets) socket.destroy();
    },
    close: cut,
  };
}

function takeApart(uri: string): { target: net.NetConnectOpts; rest: string } {
  const [, host = '', rest = ''] = /^mongodb:\/\/([^/?]+)(.*)$/.exec(uri) ?? [];
  const address = decodeURIComponent(host);
  if (address.startsWith('/')) return { target: { path: address }, rest };
  const { hostname, port } = new URL(`tcp://${address}`);
  return { target: { host: hostname, port: Number(port || 27_017) }, rest };
}
