import { type calls, everyCall } from '../../common/calls.ts';

/**
 * What a call needs to be served: MongoDB alone (`database`), the token feed in memory (`feed`), or the memory or disk of the
 * worker, such as its market, orders in work, tape and bot (`worker`).
 */
export type Need = 'database' | 'feed' | 'worker';

type Calls = typeof calls;
/** One need for all calls of a subject, or one for each. */
type Needs = { [Subject in keyof Calls]: Need | { [Name in keyof Calls[Subject]]: Need } };

/** The need of every call. A call without one does not compile. */
export const needs: Needs = {
  admin: {
    stats: 'worker',
    users: 'database',
    changeUser: 'database',
    userStats: 'database',
    systemStatus: 'worker',
  },
  adminTrading: 'worker',
  alerts: 'worker',
  apiKeys: 'database',
  audit: 'database',
  auth: 'database',
  calibration: 'worker',
  config: 'worker',
  decisions: 'worker',
  diagnostics: 'worker',
  health: 'database',
  launches: 'worker',
  maintenance: 'worker',
  presets: 'database',
  replay: 'worker',
  rules: { list: 'database', create: 'database', update: 'database', remove: 'database', preview: 'worker' },
  settings: 'database',
  sources: 'worker',
  strategies: { list: 'database', create: 'database', update: 'database', remove: 'database', preview: 'worker' },
  telegram: 'worker',
  templates: 'worker',
  tokens: 'feed',
  trading: 'worker',
  // A new transaction is followed by the worker.
  transactions: { list: 'database', record: 'worker' },
  users: 'database',
  wallet: 'worker',
  watchlists: { list: 'database', tokens: 'feed', add: 'database', remove: 'database' },
};

/** The needs that a process without the worker serves itself; it forwards the other calls. */
const SERVED: readonly Need[] = ['database'];

/** Returns the need of a call by its name, such as `tokens.list`. Throws for an unknown name. */
export function needOf(callName: string): Need {
  const [subject = '', name = ''] = callName.split('.');
  const group = new Map<string, Need | Record<string, Need>>(Object.entries(needs)).get(subject);
  const need = typeof group === 'object' ? group[name] : group;
  if (need === undefined) throw new Error(`${callName} has no need`);
  return need;
}

/** The page for Prometheus, which is no call. */
const METRICS = { method: 'GET', path: '/metrics', isOwn: false };

/**
 * Creates the function that returns, by method and path, whether a process without the worker forwards a request. HEAD counts
 * as GET. A method that no call of the path has is refused where all calls of the path are served.
 */
export function createForwardedPaths(): (method: string, path: string) => boolean {
  const all = everyCall().map(({ name, call: { method, path } }) => ({
    method: String(method),
    path: String(path),
    isOwn: SERVED.includes(needOf(name)),
  }));
  const fixed = new Map<string, typeof all>();
  for (const call of [...all, METRICS]) {
    if (hasNoParameter(call)) fixed.set(call.path, [...(fixed.get(call.path) ?? []), call]);
  }
  const patterns = all
    .filter((call) => !hasNoParameter(call))
    .map((call) => ({ ...call, pattern: new RegExp(`^${call.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`) }));
  return (method, path) => {
    const asked = method === 'HEAD' ? 'GET' : method;
    const known = fixed.get(path) ?? [];
    const called = known.find((call) => call.method === asked);
    if (called) return !called.isOwn;
    const matching = [...known, ...patterns.filter(({ pattern }) => pattern.test(path))];
    const isOwn = matching.find((call) => call.method === asked)?.isOwn ?? matching.some((call) => call.isOwn);
    return matching.length > 0 && !isOwn;
  };
}

const hasNoParameter = ({ path }: { path: string }): boolean => !path.includes('{');
