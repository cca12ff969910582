/** Returns the path of a token's page. */
export function detailPath(address: string): string {
  return `/app/tokens/${encodeURIComponent(address)}`;
}
