import { createClient } from '@redis/client';
import type { Logger } from 'pino';

/** Delay before the first and the longest before a further try to connect, ms; half of it is random. */
const RECONNECT_MS = 50;
const RECONNECT_MAX_MS = 1_000;
const CONNECT_TIMEOUT_MS = 5_000;
/** A connection on which nothing arrives for this time is dead, ms. Pings and reads that wait are shorter. */
const SILENCE_MS = 5_000;
const PING_MS = 1_500;

export type RedisClient = ReturnType<typeof createConnection>;

/** The connections of this process to one Redis. */
export type Redis = ReturnType<typeof openRedis>;

/**
 * Opens Redis at `url` without waiting for it: each connection is tried again until `close`. A command rejects at once while its
 * connection is away, so that nothing is sent later than it was meant.
 */
export function openRedis({ url, log }: { url: string; log: Logger }) {
  const clients: RedisClient[] = [];

  /** Opens a further connection, since one that waits for an answer or for messages can serve nothing else. */
  function connect(): RedisClient {
    const client = createConnection(url);
    clients.push(client);
    let isAway = false;
    client.on('error', (error: Error) => {
      if (!isAway && clients[0] === client)
        log.warn({ reason: error.message || error.name }, 'Redis is away, trying again');
      isAway = true;
    });
    client.on('ready', () => {
      if (isAway && clients[0] === client) log.warn('Redis is connected again');
      isAway = false;
    });
    // It rejects when it is closed before it has connected.
    client.connect().catch((error: unknown) => log.debug({ error }, 'Redis connection ended'));
    return client;
  }

  const commands = connect();

  return {
    /** The connection for commands that are answered at once. */
    commands,
    connect,
    isReady: (): boolean => commands.isReady,
    close(): void {
      for (const client of clients) client.destroy();
    },
  };
}

function createConnection(url: string) {
  return createClient({
    url,
    disableOfflineQueue: true,
    pingInterval: PING_MS,
    socket: {
      connectTimeout: CONNECT_TIMEOUT_MS,
      socketTimeout: SILENCE_MS,
      reconnectStrategy(retries) {
        const longest = Math.min(RECONNECT_MAX_MS, RECONNECT_MS * 2 ** Math.min(retries, 10));
        return longest / 2 + (longest / 2) * Math.random();
      },
    },
  });
}

/** Sent instead of a message after some could not be published. */
const LOST = '';

/**
 * Opens the channel `name`. `onMessage` gets every text that any process publishes, in the publisher's order, its own included. `onLost`
 * is called when some may be missing: this process was not connected, or a publisher was not.
 */
export function openChannel(
  redis: Pick<Redis, 'commands' | 'connect'>,
  name: string,
  on: { message(text: string): void; lost(): void },
) {
  const { commands } = redis;
  const subscriber = redis.connect();
  let isSubscribed = false;
  let hasDropped = false;
  let isClosed = false;
  let onSubscribed = () => {};
  const subscribed = new Promise<void>((resolve) => {
    onSubscribed = resolve;
  });

  function receive(text: string): void {
    if (isClosed) return;
    if (text === LOST) on.lost();
    else on.message(text);
  }

  function publish(text: string): void {
    commands.publish(name, text).catch(() => {
      hasDropped = true;
    });
  }

  async function listen(): Promise<void> {
    try {
      // After a reconnect the client has subscribed again by itself, before it is ready.
      if (!isSubscribed) await subscriber.subscribe(name, receive);
      isSubscribed = true;
      onSubscribed();
      if (!isClosed) on.lost();
    } catch {
      // The connection broke again: the next one is ready later.
    }
  }

  function reportDropped(): void {
    if (!hasDropped) return;
    hasDropped = false;
    publish(LOST);
  }

  subscriber.on('ready', () => void listen());
  commands.on('ready', reportDropped);

  return {
    /** Publishes a text to every process. It is dropped while Redis is away, and then every process learns that. */
    publish,
    /** Resolves when the channel is being listened to. */
    subscribed,
    close(): void {
      isClosed = true;
      commands.off('ready', reportDropped);
      subscriber.destroy();
    },
  };
}
