import type { MigratedObservation, Observation, OnChain, QuoteKind } from '../../observation.ts';
import { noAddress, quoteOfMint } from '../programs.ts';
import type { DecodeFault } from './decode-event.ts';
import type { ProgramCall } from './program-events.ts';

/** Context that an event itself lacks. */
export interface EventContext {
  source: 'solana' | 'replay';
  cluster: 'mainnet' | 'devnet' | 'local';
  chain: OnChain;
  /** Receive time, epoch ms. */
  receivedAt: number;
  /** Added to the event's own time, ms: a replay may shift a recording to the present. */
  shift: number;
  /** Length of a slot of the cluster, ms; null when unknown. */
  slotMs: number | null;
}

/**
 * Why a decoded event yields no observation. `impossible`: amounts that no curve or pool can have. `unknown-pool`: the coin of
 * the pool is not known yet. `other-pool`: the pool belongs to no token of the market, or is not the coin's main one.
 */
export type RejectReason = 'quote-mint' | 'too-large' | 'bad-time' | 'impossible' | 'unknown-pool' | 'other-pool';
export type Observed = { ok: true; observation: Observation } | { ok: false; reason: DecodeFault | RejectReason };

/** How the events of one program are read. */
export interface Protocol {
  /** Address of the program. */
  readonly program: string;
  /** Index of its first event within a transaction: each program has its own thousand, so that indexes never clash. */
  readonly firstIndex: number;
  /** Decodes one event into an observation. Never throws. */
  read(bytes: Buffer, context: EventContext): Observed;
}

/** Context of a call that its events lack. */
export interface CallContext {
  /** Time of its block, epoch ms. */
  at: number;
  /** Receive time, epoch ms. */
  receivedAt: number;
  cluster: 'mainnet' | 'devnet' | 'local';
  /** Returns the place of the next event within the transaction. */
  nextPlace(): OnChain;
  /** Returns the decimals of a mint; null when the transaction moved none of it. */
  decimalsOf(mint: string): number | null;
}

/** A launchpad whose events lack the mint or the wallet, which the accounts of the call have: its transactions are fetched. */
export interface Launchpad {
  readonly source: 'launchlab' | 'meteora-dbc';
  /** Address of the program. */
  readonly program: string;
  /** As in Protocol. */
  readonly firstIndex: number;
  /** Owner of the unsold tokens, which is no holder. */
  readonly vaultOwner: string;
  /** Matches the log line of an instruction that creates a coin or moves it into a pool. */
  readonly urgent: RegExp;
  /** Decodes one call into observations. Never throws. */
  read(call: ProgramCall, context: CallContext): Observed[];
}

/** Positions of coin and pool among the accounts of the instructions that move a coin into a pool, by their discriminators. */
export type Migrations = Readonly<Record<string, { mint: number; pool: number }>>;

/** Returns the migration of a launchpad's call, which has no event; empty for a call that moves no coin. */
export function readMigration(
  { accounts, data }: ProgramCall,
  { source, migrations }: Pick<Launchpad, 'source'> & { migrations: Migrations },
  context: CallContext,
): Observed[] {
  const positions = migrations[data.toString('hex', 0, 8)];
  if (positions === undefined) return [];
  const [mint, pool] = [accounts[positions.mint], accounts[positions.pool]];
  if (mint === undefined || pool === undefined) return [{ ok: false, reason: 'malformed' }];
  const { at, receivedAt } = context;
  const observation: MigratedObservation = {
    kind: 'migrated',
    source,
    chain: context.nextPlace(),
    address: mint,
    pool,
    quoteAmount: null,
    at,
    receivedAt,
  };
  return [{ ok: true, observation }];
}

/** Valid block times (seconds): from Solana's first block to 2100-01-01. */
const firstBlock = 1_584_282_000;
const endOfTime = 4_102_444_800;

export type ObservationBase = Pick<Observation & { chain: OnChain }, 'source' | 'chain' | 'at' | 'receivedAt'>;

/** Returns what all observations of an event share; null for an impossible block time (seconds). */
export function baseOf(timestamp: bigint, context: EventContext): ObservationBase | null {
  const seconds = Number(timestamp);
  if (seconds < firstBlock || seconds > endOfTime) return null;
  const { source, chain, receivedAt, shift } = context;
  return { source, chain, at: seconds * 1_000 + shift, receivedAt };
}

/** Returns the quote of a coin; events of older programs, without a quote mint, mean SOL. */
export function quoteKind(quoteMint: string | undefined): QuoteKind {
  return quoteMint === undefined || quoteMint === noAddress ? 'SOL' : quoteOfMint(quoteMint);
}

/** Converts amounts to numbers; null when one exceeds what a double holds exactly (2^53). */
export function exact<Key extends string>(amounts: Record<Key, bigint>): Record<Key, number> | null;
export function exact(amounts: Record<string, bigint>): Record<string, number> | null {
  const numbers: Record<string, number> = {};
  for (const [key, amount] of Object.entries(amounts)) {
    if (amount > BigInt(Number.MAX_SAFE_INTEGER)) return null;
    numbers[key] = Number(amount);
  }
  return numbers;
}
