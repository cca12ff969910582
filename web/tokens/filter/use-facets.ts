import { useEffect, useState } from 'react';
import { type Facets, type ListChoice, tokenCalls } from '../../../common/tokens/http.ts';
import { callQuery } from '../../http/query.ts';
import { atom, atomWithQuery, useAtomValue, useSetAtom } from '../../store.ts';

/** Interval of the counts while they are shown, ms. */
const REFETCH_MS = 2_000;
/** Delay of the counts after a change of the filter, ms. */
const REST_MS = 250;

export interface UsedFacets {
  /** Null before the first response; the counts of the filter before until those of a new one arrive. */
  facets: Facets | null;
  error: string | null;
}

/** Returns the server's counts for a filter, fetched again while they are shown. */
export function useFacets(choice: ListChoice): UsedFacets {
  const [atoms] = useState(() => createFacetsAtoms(membersOf(choice)));
  const setMembers = useSetAtom(atoms.members);
  const wanted = JSON.stringify(membersOf(choice));
  useEffect(() => {
    const timer = setTimeout(() => setMembers(JSON.parse(wanted)), REST_MS);
    return () => clearTimeout(timer);
  }, [setMembers, wanted]);
  const { data, error } = useAtomValue(atoms.facets);
  return { facets: data ?? null, error: error?.message ?? null };
}

/** Returns the choices that decide which tokens a list has. */
function membersOf({ sort: _sort, order: _order, ...members }: ListChoice) {
  return members;
}

function createFacetsAtoms(first: ReturnType<typeof membersOf>) {
  const members = atom(first);
  const facets = atomWithQuery((get) => ({
    ...callQuery(tokenCalls.facets, { query: get(members) }),
    placeholderData: (before: Facets | undefined) => before,
    refetchInterval: REFETCH_MS,
    refetchOnMount: 'always' as const,
    gcTime: 0,
  }));
  return { members, facets };
}
