import autocannon, { type Result } from 'autocannon';
import { serveCalls } from '../fanout/child.ts';

/** Generator of load in a process of its own. */
interface Reading {
  /** Requests a second. */
  rate: number;
  requests: number;
  /** Responses by status. */
  statuses: Record<string, number>;
}

/** Stops the attack under way and resolves with its responses. */
let stopAttack: (() => Promise<Record<string, number>>) | null = null;

/** Returns the responses by status. */
function statusesOf({ statusCodeStats = {}, errors }: Result): Record<string, number> {
  const counts = Object.entries(statusCodeStats).map(([status, { count = 0 }]) => [status, count]);
  return { ...Object.fromEntries(counts), ...(errors > 0 ? { failed: errors } : {}) };
}

let sent = 0;
/** The requests of each kind of attack, of another address or for another word each time. */
const attacks = {
  logins: () => {
    sent += 1;
    const from = `198.${18 + ((sent >> 16) & 1)}.${(sent >> 8) & 255}.${sent & 255}`;
    return {
      method: 'POST',
      path: '/api/auth/login',
      headers: { 'X-Forwarded-For': from, 'Content-Type': 'application/json' },
      body: JSON.stringify({ username: `stranger ${sent}`, password: 'a wrong password' }),
    } as const;
  },
  searches: (cookie: string) => {
    sent += 1;
    const letters = 'abcdefghijklmnopqrstuvwxyz';
    const word = letters.charAt(sent % 26) + letters.charAt(Math.floor(sent / 26) % 26);
    return { path: `/api/tokens?limit=500&q=${word}`, headers: { Cookie: cookie } };
  },
};
export type Attack = keyof typeof attacks;

const calls = {
  /** Reads one address on `connections` connections for `seconds`. */
  async read(input: {
    url: string;
    path: string;
    headers: Record<string, string>;
    connections: number;
    seconds: number;
  }): Promise<Reading> {
    const { url, path, headers, connections, seconds } = input;
    const result = await autocannon({
      url: url + path,
      headers,
      connections,
      duration: seconds,
      // The run ends with a sample.
      sampleInt: 100,
    });
    const requests = result.requests.total;
    return { rate: requests / result.duration, requests, statuses: statusesOf(result) };
  },

  /** Begins an attack, which goes on until `stopAttack`. */
  attack({ url, kind, connections, cookie }: { url: string; kind: Attack; connections: number; cookie: string }) {
    const requests = [{ setupRequest: (request: object) => ({ ...request, ...attacks[kind](cookie) }) }];
    const attack = autocannon({ url, connections, requests, duration: 3_600 }, () => {});
    const done = new Promise<Result>((resolve) => attack.on('done', resolve));
    stopAttack = async () => {
      attack.stop();
      return statusesOf(await done);
    };
  },

  /** Resolves with the responses of the attack by status. */
  async stopAttack(_input: null) {
    return (await stopAttack?.()) ?? {};
  },
};
export type LoadCalls = typeof calls;

serveCalls(calls);
