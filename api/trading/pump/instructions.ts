import { PublicKey, TransactionInstruction } from '@solana/web3.js';
import { bondingCurveOf, programAddress } from '../../market/sources/solana/programs.ts';
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
  return programAddress(seeds, new PublicKey(pumpAddresses.associatedTokenProgram));
}

/** Returns all accounts of a trade. Throws on an address that is not 32 bytes. */
export function accountsOf(trade: CurveTrade): Record<TradeAccount, PublicKey> {
  const program = new PublicKey(pumpAddresses.program);
  const feeProgram = new PublicKey(pumpAddresses.feeProgram);
  const quoteMint = new PublicKey(pumpAddresses.quoteMint);
  const quoteProgram = new PublicKey(pumpAddresses.quoteTokenProgram);
  const mint = new PublicKey(trade.mint);
  const tokenProgram = new PublicKey(trade.tokenProgram);
  const user = new PublicKey(trade.user);
  const feeRecipient = new PublicKey(trade.feeRecipient);
  const buybackRecipient = new PublicKey(trade.buybackRecipient);
  const curve = new PublicKey(bondingCurveOf(trade.mint));
  const creatorVault = programAddress(['creator-vault', new PublicKey(trade.creator).toBuffer()], program);
  const userVolume = programAddress(['user_volume_accumulator', user.toBuffer()], program);
  const quoteAccountOf = (owner: PublicKey) => tokenAccountOf(owner, quoteProgram, quoteMint);
  return {
    global: programAddress(['global'], program),
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
    sharing_config: programAddress(['sharing-config', mint.toBuffer()], feeProgram),
    global_volume_accumulator: programAddress(['global_volume_accumulator'], program),
    user_volume_accumulator: userVolume,
    associated_user_volume_accumulator: quoteAccountOf(userVolume),
    fee_config: programAddress(['fee_config', program.toBuffer()], feeProgram),
    fee_program: feeProgram,
    system_program: new PublicKey(pumpAddresses.systemProgram),
    event_authority: programAddress(['__event_authority'], program),
    program,
  };
}
