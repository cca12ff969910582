/** The accounts of a transaction, and accounts in their stored form. */
import { AddressLookupTableAccount, type PublicKey, type VersionedMessage } from '@solana/web3.js';
import type { LoadedAddresses, StoredAccount, TokenBalance } from '../storage/records.ts';
import type { AccountState, Engine } from './engine.ts';
import { mintOf, tokenAccountOf, tokenAmount } from './token-accounts.ts';

/** Returns a transaction's accounts: named ones, then those it looks up in tables, writable ones first. */
export function accountsOf(
  engine: Engine,
  message: VersionedMessage,
): { keys: string[]; loadedAddresses: LoadedAddresses } {
  const writable: string[] = [];
  const readonly: string[] = [];
  for (const lookup of message.addressTableLookups) {
    const table = lookupTable(engine.account(lookup.accountKey.toBase58()));
    const found = (indexes: number[]): string[] => indexes.flatMap((index) => table[index]?.toBase58() ?? []);
    writable.push(...found(lookup.writableIndexes));
    readonly.push(...found(lookup.readonlyIndexes));
  }
  const named = message.staticAccountKeys.map((key) => key.toBase58());
  return { keys: [...named, ...writable, ...readonly], loadedAddresses: { writable, readonly } };
}

/** Returns the addresses of a lookup table; none when the account is no table, an error that the engine reports. */
function lookupTable(state: AccountState | null): PublicKey[] {
  if (!state) return [];
  try {
    return AddressLookupTableAccount.deserialize(state.data).addresses;
  } catch {
    return [];
  }
}

/** Returns the balances of those accounts that are token accounts. */
export function tokenBalancesOf(engine: Engine, keys: readonly string[]): TokenBalance[] {
  return keys.flatMap((key, accountIndex) => {
    const account = tokenAccountOf(engine.account(key));
    const decimals = account && mintOf(engine.account(account.mint))?.decimals;
    if (!account || decimals == null) return [];
    const { mint, owner, program, amount } = account;
    return [{ accountIndex, mint, owner, programId: program, uiTokenAmount: tokenAmount(amount, decimals) }];
  });
}

/** Returns the stored form of an account. */
export function storedAccount(state: AccountState | null): StoredAccount {
  return state && [state.lamports.toString(), state.data.toString('base64'), state.owner, state.executable];
}

/** Sets stored accounts in the engine. Programs come last, since the engine loads them from their data accounts. */
export function restoreAccounts(engine: Engine, accounts: ReadonlyMap<string, StoredAccount>): void {
  const sorted = [...accounts].sort(([, a], [, b]) => Number(a?.[3] ?? false) - Number(b?.[3] ?? false));
  for (const [address, account] of sorted) {
    if (!account) continue;
    const [lamports, data, owner, executable] = account;
    engine.setAccount(address, { lamports: BigInt(lamports), data: Buffer.from(data, 'base64'), owner, executable });
  }
}
