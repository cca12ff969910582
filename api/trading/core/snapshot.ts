import { buyKey, type Change, type Kept, type KeptFigures } from './model.ts';
import type { Moments } from './moments/moments.ts';
import { addRefusal, type CoreState, userIn } from './state/core-state.ts';
import { PAIR, setState, stateName, stateNamed, stateOf } from './state/pairs.ts';
import type { TrackedToken } from './state/tokens.ts';
import { block, type UserState } from './state/users.ts';

/** Keys in one change. */
const KEYS_AT_ONCE = 1_000;

const kept = (one: Kept): Change => ({ type: 'kept', kept: one });

/** Returns changes that build the state of a core in a new one, without effects. */
export function keepAll(state: CoreState): Change[] {
  const { users, plans, tokens } = state;
  const all = [...users.values()];
  return [
    kept({ of: 'clock', at: state.clock }),
    ...[...state.sources].map(([source, deadSince]) => kept({ of: 'source', source, deadSince })),
    { type: 'stop-all', isStopped: state.isStoppedForAll },
    { type: 'database', isAway: state.isDatabaseAway },
    ...(state.rentPerByte === null ? [] : [{ type: 'rent' as const, perByte: state.rentPerByte }]),
    ...keepTried(state.tried),
    ...all.flatMap(keepUser),
    ...plans.compiled().inOrder.map(({ plan }): Change => ({ type: 'plan', plan })),
    ...tokens.list.flatMap((token) => keepToken(state, token)),
    ...all.flatMap(({ pending }) => [...pending.values()].map((one) => kept({ of: 'pending', pending: one }))),
    ...[...state.refusals].map(([key, refusal]) => kept({ of: 'refusal', key, ...refusal })),
    ...state.begun.map(({ planId, before }) => kept({ of: 'begun', planId, before: finite(before) })),
    ...all.map((user) => kept({ of: 'blocked', userId: user.id, pairs: keepBlocked(user), hasMore: user.hasMore })),
  ];
}

function keepTried(tried: ReadonlySet<string>): Change[] {
  const keys = [...tried];
  return Array.from({ length: Math.ceil(keys.length / KEYS_AT_ONCE) }, (_, index) => ({
    type: 'tried',
    keys: keys.slice(index * KEYS_AT_ONCE, (index + 1) * KEYS_AT_ONCE),
  }));
}

function keepUser({ id, account, lists }: UserState): Change[] {
  const listed = [...lists].map(([address, list]): Change => ({ type: 'list', userId: id, address, listed: list }));
  return account ? [{ type: 'account', account }, ...listed] : listed;
}

function keepBlocked({ blocked }: UserState): [string, string][] {
  return [...blocked.values()].filter(({ token }) => !token.isGone).map(({ planId, token }) => [planId, token.address]);
}

function keepToken({ plans }: CoreState, token: TrackedToken): Change[] {
  const { address, symbol, detectedAt, launchpad, source, lastAt, resumedAt, isAdmitted, price, facts, gates, inputs } =
    token;
  const states = plans.compiled().inOrder.map(({ plan, slot }): [string, number] => [plan.id, stateOf(token, slot)]);
  return [
    { type: 'token', token: { address, symbol, detectedAt, launchpad, isNew: true, source } },
    kept({
      of: 'token',
      address,
      lastAt,
      resumedAt,
      isAdmitted,
      price,
      facts,
      figures: keepFigures(token),
      gates: { liquidity: finite(gates.liquidity), risk: gates.risk, depth: finite(gates.depth) },
      inputs,
      repeatAt: token.repeatAt,
      pairs: states.filter(([, one]) => one !== PAIR.fresh).map(([planId, one]) => [planId, stateName(one)]),
    }),
  ];
}

const finite = (figure: number): number | null => (Number.isFinite(figure) ? figure : null);

const extremesOf = ({ figures }: TrackedToken) => [
  figures.priceLows,
  figures.priceHighs,
  figures.liquidityLows,
  figures.liquidityHighs,
  figures.holderLows,
];

function keepFigures(token: TrackedToken): KeptFigures {
  const { price, liquidity, holders, low } = token.figures;
  return { price, liquidity, holders, low: finite(low), extremes: extremesOf(token).map((list) => list.keep()) };
}

function restoreFigures(token: TrackedToken, { price, liquidity, holders, low, extremes }: KeptFigures): void {
  Object.assign(token.figures, { price, liquidity, holders, low: low ?? Number.POSITIVE_INFINITY });
  for (const [index, list] of extremesOf(token).entries()) {
    const one = extremes[index];
    if (one) list.restore(one);
  }
}

/** Takes a part of a snapshot. */
export function restore(state: CoreState, moments: Moments, one: Kept): void {
  switch (one.of) {
    case 'clock':
      state.clock = one.at;
      // What the original has not asked yet, it asks in its next step.
      Object.assign(state, { asked: Number.POSITIVE_INFINITY, askedBegun: Number.POSITIVE_INFINITY });
      return;
    case 'source':
      state.sources.set(one.source, one.deadSince);
      return;
    case 'token':
      restoreToken(state, one);
      return;
    case 'pending': {
      const { key, userId } = one.pending.buy;
      const user = userIn(state, userId);
      user.pending.set(key, one.pending);
      state.ordering.set(key, user);
      return;
    }
    case 'refusal': {
      const { key, planId, address, tries, until, reason = null } = one;
      addRefusal(state, key, { planId, address, tries, until, reason });
      if (until > state.clock) moments.addRefusal(key, until);
      return;
    }
    case 'begun':
      state.begun.push({ planId: one.planId, before: one.before ?? Number.POSITIVE_INFINITY });
      return;
    case 'blocked':
      restoreBlocked(state, one);
      return;
  }
}

function restoreToken(state: CoreState, one: Extract<Kept, { of: 'token' }>): void {
  const token = state.tokens.get(one.address);
  if (!token) return;
  const { lastAt, resumedAt, isAdmitted, price, facts, inputs } = one;
  Object.assign(token, { lastAt, resumedAt, isAdmitted, price, facts, inputs });
  if (one.repeatAt !== undefined) token.repeatAt = one.repeatAt;
  token.gates = {
    liquidity: one.gates.liquidity ?? Number.POSITIVE_INFINITY,
    risk: one.gates.risk,
    depth: one.gates.depth ?? Number.POSITIVE_INFINITY,
  };
  restoreFigures(token, one.figures);
  for (const [planId, name] of one.pairs) {
    const active = state.plans.get(planId);
    if (active) setState(token, active.slot, stateNamed(name), state.plans.slots);
  }
}

function restoreBlocked(state: CoreState, one: Extract<Kept, { of: 'blocked' }>): void {
  const { userId, pairs, hasMore = false } = one;
  const user = userIn(state, userId);
  user.hasMore = hasMore;
  for (const [planId, address] of pairs) {
    const token = state.tokens.get(address);
    if (token) block(user, buyKey(planId, address), { planId, token });
  }
  state.toSchedule.add(user);
}
