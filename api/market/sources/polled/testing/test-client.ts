import { createServiceClient, type ServiceOptions } from '../client.ts';
import type { RateLimit } from '../service-spec.ts';

export const json = (body: unknown, init: ResponseInit = {}) => Response.json(body, init);

type Answer = Response | Error | ((init: RequestInit) => Response | Promise<Response>);

/** A client whose network and time a test decides. Waiting passes at once, and is noted. */
export function testClient(
  options: Partial<ServiceOptions> & { rate?: RateLimit; startKey?: string | null; answers?: Answer[] } = {},
) {
  const { rate = { calls: 1_000, windowMs: 1_000 }, startKey = null, answers = [], ...rest } = options;
  const time = { at: 1_000_000 };
  const state = { key: startKey };
  const calls: { url: string; init: RequestInit; at: number }[] = [];
  const waits: number[] = [];
  const client = createServiceClient(
    {
      baseUrl: 'https://service.test',
      key: { need: 'none' },
      currentKey: () => state.key,
      limit: () => rate,
      ...rest,
    },
    {
      clock: { now: () => 1_785_000_000_000 + time.at },
      monotonic: () => time.at,
      random: () => 0,
      async wait(ms) {
        waits.push(ms);
        time.at += ms;
      },
      async fetch(url, init = {}) {
        calls.push({ url: url instanceof Request ? url.url : url.toString(), init, at: time.at });
        const answer = answers.shift() ?? json({ ok: true });
        if (answer instanceof Error) throw answer;
        return answer instanceof Response ? answer : answer(init);
      },
    },
  );
  const get = (path = '/') => client.request({ method: 'GET', path });
  /** The code of the failure; the answer when there was none. */
  const codeOf = (asked: Promise<unknown>) =>
    asked.then(
      () => 'answered',
      (error: { code?: string }) => error.code,
    );
  return { client, get, codeOf, calls, waits, time, state, answers };
}
