/** Limits of the gateway: generous for people, and small enough that no client can fill the memory. */
export interface GatewayLimits {
  /** Connections in all; more are refused before the handshake. */
  connections: number;
  connectionsPerUser: number;
  /** Many people may share one address, so this one is wide; more are refused before the handshake. */
  connectionsPerAddress: number;
  /** Of those, connections without a user; one more closes the oldest of them that is not being identified. */
  waitingPerAddress: number;
  /** Topics of one socket at the same time. */
  topics: number;
  /** Events a second from one socket; further ones get an error ack. */
  eventsPerSecond: number;
  /** Packets a second of any kind, even malformed ones; further ones close the connection. */
  packetsPerSecond: number;
  /** A socket with more than this in Engine.IO's queue is slow (F6). */
  queuedPackets: number;
  queuedBytes: number;
  /** Time limit for a slow socket to drain before it is closed, ms. */
  slowMs: number;
  /** Interval of the queue checks, ms. */
  sweepMs: number;
  /** Interval of the session checks, ms: L1 allows 5 s. */
  sessionCheckMs: number;
}

export const GATEWAY_LIMITS: GatewayLimits = {
  connections: 10_000,
  connectionsPerUser: 50,
  connectionsPerAddress: 2_000,
  waitingPerAddress: 200,
  topics: 64,
  eventsPerSecond: 20,
  packetsPerSecond: 100,
  queuedPackets: 512,
  // With the frames built from it and one flush in the kernel, this stays below 1 MB in total.
  queuedBytes: 256 * 1024,
  slowMs: 30_000,
  sweepMs: 100,
  sessionCheckMs: 2_000,
};

/**
 * Token bucket that holds two seconds' worth at most. Not a library's limiter: it runs synchronously for every packet of
 * every connection and takes two numbers of memory. rate-limiter-flexible takes six times the memory and the processor time.
 */
export interface TokenBucket {
  left: number;
  at: number;
}

const BURST_SECONDS = 2;

export function createBucket(perSecond: number, now: number): TokenBucket {
  return { left: perSecond * BURST_SECONDS, at: now };
}

/** Takes `cost` from the bucket. Returns false when not enough is left. */
export function take(bucket: TokenBucket, perSecond: number, now: number, cost = 1): boolean {
  // A clock that was set back must not empty the bucket.
  const passed = Math.max(0, now - bucket.at);
  bucket.left = Math.min(perSecond * BURST_SECONDS, bucket.left + (passed / 1000) * perSecond);
  bucket.at = now;
  if (bucket.left < cost) return false;
  bucket.left -= cost;
  return true;
}
