import { createServiceClient, type ServiceOptions } from '../client.ts';
import type { RateLimit } from '../service-spec.ts';

export const json = (body: unknown, init: ResponseInit = {}) => Response.json(body, init);

type TestResponse = Response | Error | ((init: RequestInit) => Response | Promise<Response>);

/** Creates a client with scripted responses and manual time. Waiting advances the time at once and is recorded. */
export function testClient(
  options: Partial<ServiceOptions> & { rate?: RateLimit; startKey?: string | null; responses?: TestResponse[] } = {},
) {
  const { rate = { calls: 1_000, windowMs: 1_000 }, startKey = null, responses = [], ...rest } = options;
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
        const response = responses.shift() ?? json({ ok: true });
        if (response instanceof Error) throw response;
        return response instanceof Response ? response : response(init);
      },
    },
  );
  const get = (path = '/') => client.request({ method: 'GET', path });
  /** Resolves with the code of the failure, or `responded`. */
  const codeOf = (request: Promise<unknown>) =>
    request.then(
      () => 'responded',
      (error: { code?: string }) => error.code,
    );
  return { client, get, codeOf, calls, waits, time, state, responses };
}
