/** The shape of a JSON-RPC method, and the parts of the chain that methods use. */
import type { Engine } from '../ledger/engine.ts';
import type { History } from '../ledger/history.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Slots } from '../ledger/slots.ts';
import type { createFaucet } from './faucet.ts';

/** How a client sees the chain: as it is, except in a test that expires its blockhashes or loses its transactions. */
export interface View {
  /** Number of blocks that the chain appears to be ahead. */
  heights: number;
  /** Blockhashes up to this height are treated as expired. */
  expired: number;
  /** Returns whether the next transaction gets lost. */
  dropsTransaction: () => boolean;
}

type Method = (params: readonly unknown[], view: View) => unknown;
export type Methods = Record<string, Method>;

export interface Parts {
  engine: Engine;
  slots: Slots;
  history: History;
  ledger: Ledger;
  airdrop: ReturnType<typeof createFaucet>;
  genesis: string;
  transactionCount: () => number;
}

/** Adds the context that clients expect around a value. */
export type InContext = <T>(value: T) => { context: { apiVersion: string; slot: number }; value: T };
