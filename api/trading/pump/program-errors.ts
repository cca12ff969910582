import { z } from 'zod';
import type { OrderSide } from '../../../common/trading/machine.ts';
import { type Reason, type ReasonCode, reason } from '../../../common/trading/reasons.ts';
import { pumpErrors } from './interface.ts';
import type { TradeInstructions } from './transaction.ts';

/** A failed trade and its wallet's money; null where the node did not report it. */
export interface FailedTrade {
  side: OrderSide;
  instructions: TradeInstructions;
  slippageBps: number;
  hasLamports: number | null;
  needsLamports: number;
}

const instructionErrorSchema = z.object({
  InstructionError: z.tuple([z.number(), z.union([z.string(), z.object({ Custom: z.int() })])]),
});

/** Errors of a transaction as a whole that mean too little SOL. */
const TOO_LITTLE_SOL = new Set(['InsufficientFundsForFee', 'InsufficientFundsForRent', 'AccountNotFound']);
/** The token and the system program's number for too small a balance. */
const INSUFFICIENT_FUNDS = 1;
/** Numbers of Anchor: a wrong instruction, account or constraint (github solana-foundation/anchor, `error.rs`). */
const ANCHOR = { from: 100, to: 5_000 } as const;
/** First number of a program's own errors in Anchor. */
const OWN_ERRORS = 6_000;
/** Errors of the runtime that a program returns for accounts or data that it does not expect. */
const UNEXPECTED = new Set([
  'InvalidAccountData',
  'InvalidInstructionData',
  'InvalidArgument',
  'IncorrectProgramId',
  'MissingAccount',
  'NotEnoughAccountKeys',
  'MissingRequiredSignature',
  'UnsupportedProgramId',
  'InvalidAccountOwner',
]);

/** Anchor's number for an account that does not exist. */
const NOT_INITIALIZED = 3_012;
/** Errors of a sale whose token account is gone: an earlier sale of everything has closed it. */
const CLOSED_ACCOUNT = new Set(['InvalidAccountData', 'InvalidAccountOwner', 'IncorrectProgramId']);

/** Errors of a swap in a pool beyond its slippage: Jupiter's, and PumpSwap's, which the local chain's pools also give. */
const SWAP_SLIPPAGE: ReadonlySet<number> = new Set([6_001, 6_004]);

const codeReasons: Readonly<Record<number, ReasonCode>> = {
  [pumpErrors.tooLittleSolReceived]: 'slippage',
  [pumpErrors.buySlippageBelowMinTokensOut]: 'slippage',
  [pumpErrors.tooMuchSolRequired]: 'slippage',
  [pumpErrors.bondingCurveComplete]: 'between-venues',
  [pumpErrors.buyZeroAmount]: 'too-small',
  [pumpErrors.sellZeroAmount]: 'too-small',
  [pumpErrors.notEnoughTokensToBuy]: 'slippage',
  [pumpErrors.notEnoughTokensToSell]: 'no-tokens',
  [pumpErrors.overflow]: 'chain-error',
  [pumpErrors.unsupportedQuoteMint]: 'not-sol',
};

/**
 * Returns the reason of the network's error, e.g. `{"InstructionError":[3,{"Custom":6042}]}`. `interface-changed` when the launchpad's
 * own instruction was refused for accounts or data in a way that this version does not know.
 */
export function failureOf(error: unknown, trade: FailedTrade): Reason {
  const parsed = instructionErrorSchema.safeParse(error);
  if (isOverDataLimit(error)) return reason('data-limit');
  if (!parsed.success) return TOO_LITTLE_SOL.has(nameOf(error)) ? tooLittle(trade) : reason('chain-error');
  const [index, cause] = parsed.data.InstructionError;
  const unknown = reason(index === trade.instructions.launchpad ? 'interface-changed' : 'chain-error');
  if (typeof cause === 'string') {
    if (trade.side === 'sell' && CLOSED_ACCOUNT.has(cause)) return reason('no-tokens');
    return UNEXPECTED.has(cause) ? unknown : reason('chain-error');
  }
  if (index === trade.instructions.swap) return failureOfSwap(cause.Custom, trade);
  return failureOfCode(cause.Custom, trade) ?? unknown;
}

/** Returns the reason of a program's own number; null for one that the launchpad is not known to give. */
function failureOfCode(code: number, trade: FailedTrade): Reason | null {
  if (code === INSUFFICIENT_FUNDS) return trade.side === 'buy' ? tooLittle(trade) : reason('no-tokens');
  if (code === NOT_INITIALIZED && trade.side === 'sell') return reason('no-tokens');
  const known = codeReasons[code];
  if (known === 'slippage') return reason('slippage', { slippageBps: trade.slippageBps });
  if (known !== undefined) return reason(known);
  const isUnexpected = (code >= ANCHOR.from && code < ANCHOR.to) || code >= OWN_ERRORS;
  return isUnexpected ? null : reason('chain-error');
}

/** Returns the reason of a number that a swap in a pool gave, its own or that of a program on its way. */
function failureOfSwap(code: number, trade: FailedTrade): Reason {
  if (SWAP_SLIPPAGE.has(code)) return reason('slippage', { slippageBps: trade.slippageBps });
  if (code === INSUFFICIENT_FUNDS) return trade.side === 'buy' ? tooLittle(trade) : reason('no-tokens');
  return reason('chain-error');
}

/** Returns whether a transaction failed because its compute limit was too low. */
export function isOverLimit(error: unknown): boolean {
  const parsed = instructionErrorSchema.safeParse(error);
  const cause = parsed.success ? parsed.data.InstructionError[1] : null;
  return cause === 'ComputationalBudgetExceeded' || cause === 'ProgramFailedToComplete';
}

/** Returns whether a transaction failed because it loaded more data of accounts than its limit allows. */
export function isOverDataLimit(error: unknown): boolean {
  return nameOf(error) === 'MaxLoadedAccountsDataSizeExceeded';
}

function tooLittle({ hasLamports, needsLamports }: FailedTrade): Reason {
  if (hasLamports === null) return reason('chain-error');
  return reason('balance', { hasLamports, needsLamports, keptBackLamports: 0 });
}

function nameOf(error: unknown): string {
  if (typeof error === 'string') return error;
  return typeof error === 'object' && error !== null ? (Object.keys(error)[0] ?? '') : '';
}
