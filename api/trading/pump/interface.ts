import { pumpProgram, wrappedSol } from '../../market/sources/solana/programs.ts';

/**
 * Interface facts of pump.fun's bonding curve that trades need: addresses, discriminators and the order of accounts, as published in
 * github pump-fun/pump-public-docs @1b82215 (2026-05-19), `idl/pump.json`. A test compares them with a copy of the published ones.
 * The program changes its instructions from time to time; everything that follows it is in this folder.
 */
export const pumpAddresses = {
  program: pumpProgram,
  feeProgram: 'pfeeUxB6jkeY1Hxd7CsFCAjcbHA9rWtchMGdZ6VojVZ',
  quoteMint: wrappedSol,
  /** The token program of wrapped SOL; that of a coin is the owner of its mint. */
  quoteTokenProgram: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  associatedTokenProgram: 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL',
  systemProgram: '11111111111111111111111111111111',
} as const;

/** Jupiter's program (v6), which trades in pools. */
export const JUPITER_PROGRAM = 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4';

/** First eight bytes of the instructions, hex: sha256 of `global:<name>`. */
export const pumpDiscriminators = {
  buy_exact_quote_in_v2: 'c2ab1c46684d5b2f',
  sell_v2: '5df6823ce7e940b2',
} as const;

/** Error codes of the program that a trade may meet. */
export const pumpErrors = {
  tooMuchSolRequired: 6002,
  tooLittleSolReceived: 6003,
  bondingCurveComplete: 6005,
  buyZeroAmount: 6020,
  notEnoughTokensToBuy: 6021,
  sellZeroAmount: 6022,
  notEnoughTokensToSell: 6023,
  overflow: 6024,
  buySlippageBelowMinTokensOut: 6042,
  buybackFeeRecipientNotAuthorized: 6057,
  buybackFeeRecipientMissing: 6062,
  unsupportedQuoteMint: 6063,
} as const;

/** Accounts of a purchase in order, with their rights. A sale has the same ones without `global_volume_accumulator`. */
export const tradeAccounts = [
  ['global', 'read'],
  ['base_mint', 'read'],
  ['quote_mint', 'read'],
  ['base_token_program', 'read'],
  ['quote_token_program', 'read'],
  ['associated_token_program', 'read'],
  ['fee_recipient', 'write'],
  ['associated_quote_fee_recipient', 'write'],
  ['buyback_fee_recipient', 'write'],
  ['associated_quote_buyback_fee_recipient', 'write'],
  ['bonding_curve', 'write'],
  ['associated_base_bonding_curve', 'write'],
  ['associated_quote_bonding_curve', 'write'],
  ['user', 'sign'],
  ['associated_base_user', 'write'],
  ['associated_quote_user', 'write'],
  ['creator_vault', 'write'],
  ['associated_creator_vault', 'write'],
  ['sharing_config', 'read'],
  ['global_volume_accumulator', 'read'],
  ['user_volume_accumulator', 'write'],
  ['associated_user_volume_accumulator', 'write'],
  ['fee_config', 'read'],
  ['fee_program', 'read'],
  ['system_program', 'read'],
  ['event_authority', 'read'],
  ['program', 'read'],
] as const satisfies readonly (readonly [name: string, rights: 'read' | 'write' | 'sign'])[];
export type TradeAccount = (typeof tradeAccounts)[number][0];

/** The account that only a purchase has. */
export const PURCHASE_ONLY: TradeAccount = 'global_volume_accumulator';
