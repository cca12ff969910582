import type { Token } from '../../common/tokens/model.ts';
import type { TokenAtoms } from '../live/atoms/atoms.ts';
import { atom } from '../store.ts';

/**
 * The control of `npm run bench:client`, which builds it in place of the function of this name in `live/atoms/atoms.ts`: all
 * tokens in one atom, so that a change of one token repaints every row.
 */
export function createTokenAtoms(): TokenAtoms {
  const all = atom<ReadonlyMap<string, Token>>(new Map());
  const atomOf = (address: string) =>
    atom(
      (get) => {
        const token = get(all).get(address);
        return token === undefined ? null : { ...token };
      },
      (_get, set, change: Token | null | ((before: Token | null) => Token | null)) =>
        set(all, (before) => {
          const token = typeof change === 'function' ? change(before.get(address) ?? null) : change;
          const after = new Map(before);
          if (token === null) after.delete(address);
          else after.set(address, token);
          return after;
        }),
    );
  const atoms = new Map<string, ReturnType<typeof atomOf>>();
  return {
    atom(address) {
      const known = atoms.get(address) ?? atomOf(address);
      atoms.set(address, known);
      return known;
    },
    shown: () => true,
    keep: () => () => {},
    forget: (address) => void atoms.delete(address),
  };
}
