import { PublicKey, TransactionInstruction } from '@solana/web3.js';
import { programAddress } from '../../market/sources/solana/programs.ts';
import { createGrowingCache } from '../../platform/growing-cache.ts';
import { PURCHASE_ONLY, pumpAddresses, pumpDiscriminators, type TradeAccount, tradeAccounts } from './interface.ts';

/** The accounts of a trade that can't be derived from others. Addresses in base58. */
export interface CurveTrade {
  mint: string;
  /** Owner of the mint: the SPL token program, or Token-2022. */
  tokenProgram: string;
  /** Creator in the coin's bonding curve. */
  creator: string;
  /** The wallet that trades and signs. */
  user: string;
  /** One of the program's fee recipients; a coin in mayhem mode needs a reserved one. */
  feeRecipient: string;
  /** One of the program's buyback fee recipients. */
  buybackRecipient: string;
}

/**
 * Returns the purchase of a coin for at most `spend` lamports including the launchpad's fees. It fails with 6042 when that buys
 * less than `least` base units. The wallet's token account has to exist.
 */
export function buyExactQuoteIn(trade: CurveTrade, spend: bigint, least: bigint): TransactionInstruction {
  return instructionOf('buy_exact_quote_in_v2', trade, spend, least);
}

/** Returns the sale of `tokens` base units. It fails with 6003 when less than `least` lamports would be left after fees. */
export function sellTokens(trade: CurveTrade, tokens: bigint, least: bigint): TransactionInstruction {
  return instructionOf('sell_v2', trade, tokens, least);
}

/** Number of the associated token program's instruction that does nothing where the account exists. */
const CREATE_IDEMPOTENT = 1;
/** Number of the token programs' instruction that closes an empty account. */
const CLOSE_ACCOUNT = 9;

export const reads = (pubkey: PublicKey) => ({ pubkey, isSigner: false, isWritable: false });
export const writes = (pubkey: PublicKey) => ({ pubkey, isSigner: false, isWritable: true });
export const signs = (pubkey: PublicKey) => ({ pubkey, isSigner: true, isWritable: true });

type OwnedToken = Pick<CurveTrade, 'user' | 'tokenProgram' | 'mint'>;

/** Returns the creation of the wallet's token account where it is missing. `payer`: default: the wallet. */
export function createTokenAccount(
  { user, tokenProgram, mint }: OwnedToken,
  payer?: PublicKey,
): TransactionInstruction {
  const [owner, program, coin] = [new PublicKey(user), new PublicKey(tokenProgram), new PublicKey(mint)];
  const system = new PublicKey(pumpAddresses.systemProgram);
  return new TransactionInstruction({
    programId: new PublicKey(pumpAddresses.associatedTokenProgram),
    keys: [
      signs(payer ?? owner),
      writes(tokenAccountOf(owner, program, coin)),
      ...[owner, coin, system, program].map(reads),
    ],
    data: Buffer.of(CREATE_IDEMPOTENT),
  });
}

/** Returns the closing of the wallet's empty token account; its rent goes to the wallet. */
export function closeTokenAccount({ user, tokenProgram, mint }: OwnedToken): TransactionInstruction {
  const [owner, program, coin] = [new PublicKey(user), new PublicKey(tokenProgram), new PublicKey(mint)];
  return new TransactionInstruction({
    programId: program,
    keys: [writes(tokenAccountOf(owner, program, coin)), writes(owner), { ...signs(owner), isWritable: false }],
    data: Buffer.of(CLOSE_ACCOUNT),
  });
}

function instructionOf(
  name: keyof typeof pumpDiscriminators,
  trade: CurveTrade,
  amount: bigint,
  limit: bigint,
): TransactionInstruction {
  const data = Buffer.alloc(24);
  data.write(pumpDiscriminators[name], 'hex');
  data.writeBigUInt64LE(amount, 8);
  data.writeBigUInt64LE(limit, 16);
  const addresses = accountsOf(trade);
  const keys = tradeAccounts
    .filter(([account]) => name !== 'sell_v2' || account !== PURCHASE_ONLY)
    .map(([account, rights]) => ({
      pubkey: addresses[account],
      isSigner: rights === 'sign',
      isWritable: rights !== 'read',
    }));
  return new TransactionInstruction({ programId: new PublicKey(pumpAddresses.program), keys, data });
}

/** Returns the address of a wallet's token account for a mint. */
export function tokenAccountOf(owner: PublicKey, tokenProgram: PublicKey, mint: PublicKey): PublicKey {
  const seeds = [owner.toBuffer(), tokenProgram.toBuffer(), mint.toBuffer()];
  return derive(seeds, new PublicKey(pumpAddresses.associatedTokenProgram));
}

/** Derived addresses, since deriving those of one trade takes 5 ms. */
const derived = createGrowingCache<PublicKey>(20_000);

/** Returns the address that a program derives from these seeds. */
export function derive(seeds: readonly (string | Buffer)[], program: PublicKey): PublicKey {
  const name = `${program.toBase58()} ${seeds.map((seed) => (typeof seed === 'string' ? seed : seed.toString('hex'))).join(' ')}`;
  const known = derived.get(name) ?? programAddress(seeds, program);
  derived.set(name, known);
  return known;
}

/** The account with the launchpad's settings. */
export const GLOBAL_ACCOUNT = programAddress(['global'], new PublicKey(pumpAddresses.program));

/** Returns the bonding curve of a coin. */
export function curveOf(mint: PublicKey): PublicKey {
  return derive(['bonding-curve', mint.toBuffer()], new PublicKey(pumpAddresses.program));
}

/** Returns the launchpad's account for the volume of a wallet, which its first purchase pays for. */
export function volumeAccountOf(user: PublicKey): PublicKey {
  return derive(['user_volume_accumulator', user.toBuffer()], new PublicKey(pumpAddresses.program));
}

/** Returns all accounts of a trade. Throws on an address that is not 32 bytes. */
function accountsOf(trade: CurveTrade): Record<TradeAccount, PublicKey> {
  const program = new PublicKey(pumpAddresses.program);
  const feeProgram = new PublicKey(pumpAddresses.feeProgram);
  const quoteMint = new PublicKey(pumpAddresses.quoteMint);
  const quoteProgram = new PublicKey(pumpAddresses.quoteTokenProgram);
  const mint = new PublicKey(trade.mint);
  const tokenProgram = new PublicKey(trade.tokenProgram);
  const user = new PublicKey(trade.user);
  const feeRecipient = new PublicKey(trade.feeRecipient);
  const buybackRecipient = new PublicKey(trade.buybackRecipient);
  const curve = curveOf(mint);
  const creatorVault = derive(['creator-vault', new PublicKey(trade.creator).toBuffer()], program);
  const userVolume = volumeAccountOf(user);
  const quoteAccountOf = (owner: PublicKey) => tokenAccountOf(owner, quoteProgram, quoteMint);
  return {
    global: GLOBAL_ACCOUNT,
    base_mint: mint,
    quote_mint: quoteMint,
    base_token_program: tokenProgram,
    quote_token_program: quoteProgram,
    associated_token_program: new PublicKey(pumpAddresses.associatedTokenProgram),
    fee_recipient: feeRecipient,
    associated_quote_fee_recipient: quoteAccountOf(feeRecipient),
    buyback_fee_recipient: buybackRecipient,
    associated_quote_buyback_fee_recipient: quoteAccountOf(buybackRecipient),
    bonding_curve: curve,
    associated_base_bonding_curve: tokenAccountOf(curve, tokenProgram, mint),
    associated_quote_bonding_curve: quoteAccountOf(curve),
    user,
    associated_base_user: tokenAccountOf(user, tokenProgram, mint),
    associated_quote_user: quoteAccountOf(user),
    creator_vault: creatorVault,
    associated_creator_vault: quoteAccountOf(creatorVault),
    sharing_config: derive(['sharing-config', mint.toBuffer()], feeProgram),
    global_volume_accumulator: derive(['global_volume_accumulator'], program),
    user_volume_accumulator: userVolume,
    associated_user_volume_accumulator: quoteAccountOf(userVolume),
    fee_config: derive(['fee_config', program.toBuffer()], feeProgram),
    fee_program: feeProgram,
    system_program: new PublicKey(pumpAddresses.systemProgram),
    event_authority: derive(['__event_authority'], program),
    program,
  };
}
