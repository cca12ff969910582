import type { Ask } from '../service-spec.ts';

export interface FakeAsk {
  ask: Ask;
  /** What was asked, in order: `GET /path?query`, `POST /path`. */
  asked: string[];
  bodies: unknown[];
  malformed(): number;
}

/** Answers as `answers` says by path (with or without query); an Error there is thrown, a missing one is a test's mistake. */
export function fakeAsk(answers: Readonly<Record<string, unknown>>, now = 1_785_413_400_000): FakeAsk {
  const asked: string[] = [];
  const bodies: unknown[] = [];
  let malformed = 0;

  async function answer(method: string, path: string, query = ''): Promise<unknown> {
    asked.push(`${method} ${path}${query}`);
    const given = answers[`${path}${query}`] ?? answers[path];
    if (given === undefined) throw new Error(`nothing to answer ${path}${query}`);
    if (given instanceof Error) throw given;
    return given;
  }

  const ask: Ask = {
    get(path, query = {}) {
      const search = new URLSearchParams();
      for (const [name, value] of Object.entries(query)) if (value !== null) search.set(name, String(value));
      return answer('GET', path, search.size > 0 ? `?${search.toString()}` : '');
    },
    post(path, body) {
      bodies.push(body);
      return answer('POST', path);
    },
    item(schema, value) {
      const parsed = schema.safeParse(value);
      if (!parsed.success) malformed += 1;
      return parsed.success ? parsed.data : null;
    },
    items(schema, list) {
      if (!Array.isArray(list)) {
        malformed += 1;
        return [];
      }
      return list.flatMap((value: unknown) => {
        const item = ask.item(schema, value);
        return item === null ? [] : [item];
      });
    },
    now: () => now,
  };
  return { ask, asked, bodies, malformed: () => malformed };
}
