/** Returns the path of a token's page. */
export function detailPath(address: string): string {
  return `/app/tokens/${encodeURIComponent(address)}`;
}

/** Why a token on no chain has no links to other pages. */
export const ON_NO_CHAIN = 'This token is simulated. It is on no chain, so no explorer shows it.';
