import type { TokenRecord } from '../record.ts';

/** Fields of a token that name the wallets of its developer. */
export type DeveloperRecord = Pick<TokenRecord, 'creator' | 'creationUser' | 'creationFeePayer' | 'feeCreator'>;

/** Returns the wallets behind a coin, each once: signer, fee payer and named creator of its creation, and who earns its fees since. */
export function developerOf({ creator, creationUser, creationFeePayer, feeCreator }: DeveloperRecord): string[] {
  const wallets = [creationUser, creationFeePayer, creator, feeCreator].filter((wallet) => wallet != null);
  return [...new Set(wallets)];
}

/** Returns whether a wallet is one of those of `developerOf`. Called for every trade, so it allocates nothing. */
export function isDeveloper(
  { creator, creationUser, creationFeePayer, feeCreator }: DeveloperRecord,
  wallet: string,
): boolean {
  return wallet === creator || wallet === creationUser || wallet === creationFeePayer || wallet === feeCreator;
}
