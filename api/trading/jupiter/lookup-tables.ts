import { AddressLookupTableAccount, AddressLookupTableProgram, PublicKey } from '@solana/web3.js';
import { reason } from '../../../common/trading/reasons.ts';
import type { Outcome } from '../executors/executor.ts';
import type { TradingNode } from '../executors/trading-node.ts';
import type { BuildAnswer } from './build-answer.ts';

/**
 * Returns the lookup tables of an answer as the chain has them; `route-tables` when the answer shows other addresses in them: the
 * transaction would then name other accounts than those that were checked. Rejects while the node is away.
 */
export async function lookupTables(
  node: Pick<TradingNode, 'accounts'>,
  { addressesByLookupTableAddress: given }: Pick<BuildAnswer, 'addressesByLookupTableAddress'>,
): Promise<Outcome<AddressLookupTableAccount[]>> {
  const refused = { ok: false, reason: reason('route-tables') } as const;
  const entries = Object.entries(given ?? {});
  const keys = entries.map(([address]) => keyOf(address)).filter((key) => key !== null);
  if (keys.length < entries.length) return refused;
  if (keys.length === 0) return { ok: true, value: [] };
  const { accounts } = await node.accounts(keys);
  const tables: AddressLookupTableAccount[] = [];
  for (const [index, key] of keys.entries()) {
    const account = accounts[index];
    if (!account?.owner.equals(AddressLookupTableProgram.programId)) return refused;
    const state = stateOf(account.data);
    // A table only grows: the answer may be older than the account.
    const shown = entries[index]?.[1] ?? [];
    if (!state || !shown.every((address, at) => state.addresses[at]?.equals(address))) return refused;
    tables.push(new AddressLookupTableAccount({ key, state: { ...state, addresses: shown } }));
  }
  return { ok: true, value: tables };
}

function keyOf(address: string): PublicKey | null {
  try {
    return new PublicKey(address);
  } catch {
    return null;
  }
}

function stateOf(data: Buffer) {
  try {
    return AddressLookupTableAccount.deserialize(data);
  } catch {
    return null;
  }
}
