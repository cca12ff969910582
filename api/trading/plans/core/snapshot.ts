import { copyFigures } from './conditions.ts';
import type { Change, Kept } from './model.ts';
import type { CoreState, TrackedToken } from './state.ts';

const kept = (one: Kept): Change => ({ type: 'kept', kept: one });

/** Returns changes that build the tokens of a core, with their figures and windows, in a new one. */
export function keepAll(state: CoreState): Change[] {
  return [
    ...[...state.sources].map(([source, deadSince]) => kept({ of: 'source', source, deadSince })),
    ...(state.rentPerByte === null ? [] : [{ type: 'rent' as const, perByte: state.rentPerByte }]),
    ...state.tokens.flatMap(keepToken),
  ];
}

function keepToken({ figures, ...token }: TrackedToken): Change[] {
  const { address, symbol, detectedAt, launchpad, source, lastAt, resumedAt, price, facts, repeatAt } = token;
  return [
    { type: 'token', token: { address, symbol, detectedAt, launchpad, isNew: true, source } },
    kept({ of: 'token', address, lastAt, resumedAt, price, facts, figures: copyFigures(figures), repeatAt }),
  ];
}

/** Takes a part of a snapshot. */
export function restore({ sources, byAddress }: CoreState, one: Kept): void {
  if (one.of === 'source') sources.set(one.source, one.deadSince);
  else {
    const { of: _, address, ...fields } = one;
    const token = byAddress.get(address);
    if (token) Object.assign(token, fields);
  }
}
