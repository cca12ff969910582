import { serveCalls } from '../fanout/child.ts';
import { getRequest, openRequests, postRequest } from './raw-requests.ts';

/** Generator of load in a process of its own. */
interface Reading {
  /** Requests a second. */
  rate: number;
  /** Responses by status. */
  statuses: Record<string, number>;
}

/** A load under way. */
let running: { end(): void; done: Promise<Record<string, number>> } | null = null;

/** Sends what `next` returns on `connections` connections, each as fast as its responses come, until `isOver`. */
async function drive(url: string, connections: number, next: () => string, isOver: () => boolean) {
  const statuses: Record<string, number> = {};
  const count = (status: string) => {
    statuses[status] = (statuses[status] ?? 0) + 1;
  };
  await Promise.all(
    Array.from({ length: connections }, async () => {
      let connection = await openRequests(url);
      while (!isOver()) {
        try {
          const { status } = await connection.send(next());
          count(String(status));
        } catch {
          count('failed');
          connection = await openRequests(url);
        }
      }
      connection.close();
    }),
  );
  return statuses;
}

let sent = 0;
/** The requests of each kind of attack, of another address or for another word each time. */
const attacks = {
  logins: () => {
    sent += 1;
    const from = `198.${18 + ((sent >> 16) & 1)}.${(sent >> 8) & 255}.${sent & 255}`;
    const user = { username: `stranger ${sent}`, password: 'a wrong password' };
    return postRequest('/api/auth/login', { 'X-Forwarded-For': from }, user);
  },
  searches: (cookie: string) => {
    sent += 1;
    const letters = 'abcdefghijklmnopqrstuvwxyz';
    const word = letters.charAt(sent % 26) + letters.charAt(Math.floor(sent / 26) % 26);
    return getRequest(`/api/tokens?limit=500&q=${word}`, { Cookie: cookie });
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
    const request = getRequest(input.path, input.headers);
    const begin = performance.now();
    const end = begin + input.seconds * 1_000;
    const statuses = await drive(
      input.url,
      input.connections,
      () => request,
      () => performance.now() > end,
    );
    const count = Object.values(statuses).reduce((sum, some) => sum + some, 0);
    return { rate: count / ((performance.now() - begin) / 1_000), statuses };
  },

  /** Begins an attack, which goes on until `stopAttack`. */
  attack({ url, kind, connections, cookie }: { url: string; kind: Attack; connections: number; cookie: string }) {
    let isOver = false;
    const done = drive(
      url,
      connections,
      () => attacks[kind](cookie),
      () => isOver,
    );
    running = {
      end: () => {
        isOver = true;
      },
      done,
    };
  },

  /** Resolves with the responses of the attack by status. */
  async stopAttack(_input: null) {
    running?.end();
    return (await running?.done) ?? {};
  },
};
export type LoadCalls = typeof calls;

serveCalls(calls);
