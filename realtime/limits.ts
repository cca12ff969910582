/** Every bound of the gateway. They are generous for people and small enough that no client can fill the memory. */
export interface GatewayLimits {
  /** Connections in all; more are refused before the handshake. */
  connections: number;
  connectionsPerUser: number;
  /** Many people may share one address, so this one is wide; more are refused before the handshake. */
  connectionsPerAddress: number;
  /** Of those, connections that have not been let in yet. */
  waitingPerAddress: number;
  /** Topics one socket may hear at the same time. */
  topics: number;
  /** Events a second one socket may send; above that they are answered by an error ack. */
  eventsPerSecond: number;
  /** Packets a second of any kind, also malformed ones; above that the connection is closed. */
  packetsPerSecond: number;
  /** A socket with more than this waiting in Engine.IO's queue is slow (F6). */
  queuedPackets: number;
  queuedBytes: number;
  /** How long a slow socket may take to drain before it is closed, ms. */
  slowMs: number;
  /** How often queues are looked at, ms. */
  sweepMs: number;
  /** How often all sessions are re-checked, ms: L1 allows 5 s. */
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
  // With the frames built from it and one flush on its way in the kernel, this stays below 1 MB in all.
  queuedBytes: 256 * 1024,
  slowMs: 30_000,
  sweepMs: 100,
  sessionCheckMs: 2_000,
};

/** What is left of an allowance that refills with time and holds two seconds' worth at most. */
export interface Allowance {
  left: number;
  at: number;
}

const BURST_SECONDS = 2;

export function newAllowance(perSecond: number, now: number): Allowance {
  return { left: perSecond * BURST_SECONDS, at: now };
}

/** Takes `cost` from the allowance; false when there is not enough left. */
export function take(allowance: Allowance, perSecond: number, now: number, cost = 1): boolean {
  // A clock that was set back must not take allowance away.
  const passed = Math.max(0, now - allowance.at);
  allowance.left = Math.min(perSecond * BURST_SECONDS, allowance.left + (passed / 1000) * perSecond);
  allowance.at = now;
  if (allowance.left < cost) return false;
  allowance.left -= cost;
  return true;
}
