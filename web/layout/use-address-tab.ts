import { useLocation, useSearch } from 'wouter';

/** The open tab as `?tab=` of the address has it, so that links and reloads open it; the first one when it names none. */
export function useAddressTab<Id extends string>(ids: readonly [Id, ...Id[]]): [Id, (id: string) => void] {
  const search = useSearch();
  const [path, navigate] = useLocation();
  const named = new URLSearchParams(search).get('tab');
  const open = ids.find((id) => id === named) ?? ids[0];
  return [open, (id) => navigate(id === ids[0] ? path : `${path}?tab=${encodeURIComponent(id)}`, { replace: true })];
}
