import { useLocation, useSearch } from 'wouter';

/** Returns the open tab, from `?tab=` of the address, so that links and reloads open it; by default the first one. */
export function useAddressTab<Id extends string>(ids: readonly [Id, ...Id[]]): [Id, (id: string) => void] {
  const search = useSearch();
  const [path, navigate] = useLocation();
  const named = new URLSearchParams(search).get('tab');
  const open = ids.find((id) => id === named) ?? ids[0];
  return [open, (id) => navigate(id === ids[0] ? path : `${path}?tab=${encodeURIComponent(id)}`, { replace: true })];
}
