import { createServiceApi } from '../polled-source.ts';
import type { ServiceApi } from '../service-spec.ts';

export interface FakeServiceApi {
  api: ServiceApi;
  /** Requests in order: `GET /path?query`, `POST /path`. */
  requests: string[];
  bodies: unknown[];
  malformed(): number;
}

/** Responds by path (with or without query); throws an Error given as response, and for a missing response. */
export function fakeServiceApi(responses: Readonly<Record<string, unknown>>, now = 1_785_413_400_000): FakeServiceApi {
  const requests: string[] = [];
  const bodies: unknown[] = [];
  let malformed = 0;
  const api = createServiceApi(
    {
      async request({ method, path, query = {}, body }) {
        const search = new URLSearchParams();
        for (const [name, value] of Object.entries(query)) if (value !== null) search.set(name, String(value));
        const url = search.size > 0 ? `${path}?${search.toString()}` : path;
        requests.push(`${method} ${url}`);
        if (method === 'POST') bodies.push(body);
        const response = responses[url] ?? responses[path];
        if (response === undefined) throw new Error(`no response for ${url}`);
        if (response instanceof Error) throw response;
        return response;
      },
      countMalformed() {
        malformed += 1;
      },
    },
    () => now,
  );
  return { api, requests, bodies, malformed: () => malformed };
}
