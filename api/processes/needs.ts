import { type calls, everyCall } from '../../common/calls.ts';

/**
 * What a call needs to be served: MongoDB alone (`database`); MongoDB and the token feed (`feed`); the market in the worker's memory, or
 * without a worker what the market has stored (`market`); or the memory or disk of the worker, such as orders in work, tape and bot
 * (`worker`).
 */
export type Need = 'database' | 'feed' | 'market' | 'worker';

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
  alertRules: 'worker',
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
  tokens: {
    list: 'feed',
    new: 'feed',
    runners: 'feed',
    mightRun: 'feed',
    earlyLiquidity: 'feed',
    facets: 'feed',
    stats: 'feed',
    detail: 'market',
    samples: 'market',
    candles: 'market',
    trades: 'market',
    holders: 'market',
    wallets: 'market',
    creator: 'market',
  },
  trading: 'worker',
  // A new transaction is followed by the worker.
  transactions: { list: 'database', record: 'worker' },
  users: 'database',
  wallet: 'worker',
  watchlists: { list: 'database', tokens: 'feed', add: 'database', remove: 'database' },
  webhook: 'worker',
};

/** Returns the need of a call by its name, such as `tokens.list`. Throws for an unknown name. */
export function needOf(callName: string): Need {
  const [subject = '', name = ''] = callName.split('.');
  const group = new Map<string, Need | Record<string, Need>>(Object.entries(needs)).get(subject);
  const need = typeof group === 'object' ? group[name] : group;
  if (need === undefined) throw new Error(`${callName} has no need`);
  return need;
}

/** The page for Prometheus, which is no call. */
const METRICS = { method: 'GET', path: '/metrics', need: 'worker' } as const;

/**
 * Creates the function that returns the need of a request by its method and path: `database` for an address that is no call's.
 * HEAD counts as GET. A method that no call of the path has is refused without the worker, unless all calls of the path need it.
 */
export function createNeedLookup(): (method: string, path: string) => Need {
  const all = everyCall().map(({ name, call: { method, path } }) => ({
    method: String(method),
    path: String(path),
    need: needOf(name),
  }));
  const fixed = new Map<string, { method: string; need: Need }[]>();
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
    if (called) return called.need;
    const matching = [...known, ...patterns.filter(({ pattern }) => pattern.test(path))];
    const exact = matching.find((call) => call.method === asked);
    if (exact) return exact.need;
    return matching.length > 0 && matching.every(({ need }) => need === 'worker') ? 'worker' : 'database';
  };
}

const hasNoParameter = ({ path }: { path: string }): boolean => !path.includes('{');
