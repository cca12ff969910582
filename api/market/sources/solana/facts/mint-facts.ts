import { type Connection, PublicKey } from '@solana/web3.js';
import { z } from 'zod';
import type { Rpc } from '../../../../chain/rpc.ts';
import type { FactsObservation } from '../../observation.ts';

type Facts = FactsObservation['facts'];

/** Facts with the slot of the node's response. */
export interface FactsAt {
  facts: Facts;
  slot: number | null;
}

/** Programs whose accounts are mints: Token and Token-2022. */
export const tokenPrograms: ReadonlySet<string> = new Set([
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
]);

const extensionSchema = z.object({ extension: z.string(), state: z.unknown().optional() });
type Extension = z.infer<typeof extensionSchema>;

const mintSchema = z.object({
  parsed: z.object({
    type: z.literal('mint'),
    info: z.object({
      decimals: z.int().min(0).max(255),
      supply: z.string().regex(/^\d{1,20}$/),
      mintAuthority: z.string().nullable(),
      freezeAuthority: z.string().nullable(),
      extensions: z.array(extensionSchema).optional(),
    }),
  }),
});

/**
 * Reads the mint account: decimals, supply, authorities, Token-2022 extensions. Resolves with null while the node has no such
 * mint. Throws as `Rpc.request` does.
 */
export async function readMint(rpc: Rpc, mint: string): Promise<FactsAt | null> {
  const address = new PublicKey(mint);
  const { context, value } = await rpc.request((connection) => connection.getParsedAccountInfo(address));
  if (value === null || !tokenPrograms.has(value.owner.toBase58())) return null;
  const parsed = mintSchema.safeParse(value.data);
  if (!parsed.success) return null;
  const { info } = parsed.data.parsed;
  const extensions = info.extensions ?? [];
  const metadata = extensions.find(({ extension }) => extension === 'tokenMetadata');
  return {
    slot: context.slot,
    facts: {
      decimals: info.decimals,
      totalSupply: info.supply,
      mintAuthority: info.mintAuthority === null ? 'revoked' : 'live',
      freezeAuthority: info.freezeAuthority === null ? 'revoked' : 'live',
      extensions: dangerousExtensions(extensions),
      transferFeeBps: transferFeeBps(extensions),
      // Metadata outside the mint is not read, so its mutability stays unknown.
      ...(metadata === undefined ? {} : { metadataMutable: !isOff(metadata, 'updateAuthority') }),
    },
  };
}

/** Extensions that can take, freeze or hide a holder's tokens; the function returns whether one is off. */
const dangers: Record<string, (extension: Extension) => boolean> = {
  permanentDelegate: (extension) => isOff(extension, 'delegate'),
  transferHook: (extension) => isOff(extension, 'programId'),
  defaultAccountState: (extension) => stateOf(extension).accountState === 'initialized',
  nonTransferable: () => false,
  pausableConfig: (extension) => isOff(extension, 'authority'),
  mintCloseAuthority: (extension) => isOff(extension, 'closeAuthority'),
};

/** Extensions that cannot harm a holder, or that have a fact of their own (`transferFeeConfig`). */
const harmless = new Set([
  'confidentialTransferFeeConfig',
  'confidentialTransferMint',
  'groupMemberPointer',
  'groupPointer',
  'interestBearingConfig',
  'metadataPointer',
  'scaledUiAmountConfig',
  'tokenGroup',
  'tokenGroupMember',
  'tokenMetadata',
  'transferFeeConfig',
]);

/** Returns the dangerous extensions that are on; null when there is none but an unknown extension. */
function dangerousExtensions(extensions: readonly Extension[]): string[] | null {
  const on = extensions.filter((one) => dangers[one.extension]?.(one) === false).map(({ extension }) => extension);
  if (on.length > 0) return on;
  const allKnown = extensions.every(({ extension }) => extension in dangers || harmless.has(extension));
  return allKnown ? [] : null;
}

const feeSchema = z.object({
  olderTransferFee: z.object({ transferFeeBasisPoints: z.int().min(0) }),
  newerTransferFee: z.object({ transferFeeBasisPoints: z.int().min(0) }),
});

/** Returns the larger of the current and the announced fee, basis points; null when unreadable. */
function transferFeeBps(extensions: readonly Extension[]): number | null {
  const config = extensions.find(({ extension }) => extension === 'transferFeeConfig');
  if (config === undefined) {
    return extensions.some(({ extension }) => extension === 'unparseableExtension') ? null : 0;
  }
  const fees = feeSchema.safeParse(config.state);
  if (!fees.success) return null;
  const { olderTransferFee, newerTransferFee } = fees.data;
  return Math.max(olderTransferFee.transferFeeBasisPoints, newerTransferFee.transferFeeBasisPoints);
}

/** Only an explicit null means off: a missing field counts as on. */
function isOff(extension: Extension, field: string): boolean {
  return stateOf(extension)[field] === null;
}

function stateOf({ state }: Extension): Record<string, unknown> {
  return typeof state === 'object' && state !== null ? { ...state } : {};
}

/** Position of the owner in a token account of both token programs. */
const ownerSlice = { offset: 32, length: 32 };

/**
 * Reads the largest wallets of a token, base units, largest first, without `excluded` owners (curve and pool); accounts of one
 * wallet are added up. A node returns at most 20 accounts. `largestHolders` is null when an amount or an owner is unreadable.
 * Throws as `Rpc.request` does.
 */
export async function readLargestHolders(rpc: Rpc, mint: string, excluded: ReadonlySet<string>): Promise<FactsAt> {
  const address = new PublicKey(mint);
  const largest = await rpc.request((connection) => connection.getTokenLargestAccounts(address));
  const { slot } = largest.context;
  const accounts = largest.value.filter(({ amount }) => amount !== '0');
  if (accounts.length === 0) return { slot, facts: { largestHolders: [] } };
  const owners = await rpc.request((connection) => readOwners(connection, accounts));

  const byWallet = new Map<string, number>();
  for (const [index, account] of accounts.entries()) {
    const owner = owners[index];
    const amount = Number(account.amount);
    if (owner === undefined || !Number.isSafeInteger(amount)) return { slot, facts: { largestHolders: null } };
    if (!excluded.has(owner)) byWallet.set(owner, (byWallet.get(owner) ?? 0) + amount);
  }
  const holders = [...byWallet].map(([wallet, amount]) => ({ wallet, amount }));
  return { slot, facts: { largestHolders: holders.toSorted((a, b) => b.amount - a.amount) } };
}

async function readOwners(
  connection: Connection,
  accounts: readonly { address: PublicKey }[],
): Promise<(string | undefined)[]> {
  const addresses = accounts.map(({ address }) => address);
  const infos = await connection.getMultipleAccountsInfo(addresses, { dataSlice: ownerSlice });
  return infos.map((info) =>
    info !== null && tokenPrograms.has(info.owner.toBase58()) && info.data.length === ownerSlice.length
      ? new PublicKey(info.data).toBase58()
      : undefined,
  );
}
