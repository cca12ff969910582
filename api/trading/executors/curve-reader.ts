import { PublicKey } from '@solana/web3.js';
import { type Clock, MINUTE } from '../../../common/time.ts';
import { reason } from '../../../common/trading/reasons.ts';
import {
  type CurveState,
  type Recipients,
  readCurve,
  readMint,
  readRecipients,
  readTokens,
  type TokenProgram,
  tokenProgramIds,
} from '../pump/curve-state.ts';
import { curveOf, GLOBAL_ACCOUNT, tokenAccountOf, volumeAccountOf } from '../pump/instructions.ts';
import type { Outcome } from './executor.ts';
import type { TradingNode } from './trading-node.ts';

/** How long the launchpad's recipients are kept. */
const RECIPIENTS_MS = 10 * MINUTE;

/** A coin on its bonding curve. */
export interface CurveCoin extends CurveState {
  tokenProgram: TokenProgram;
  decimals: number;
  recipients: Recipients;
}

/** A coin and a wallet at one moment. Amounts in lamports and base units. */
export interface CurveSnapshot {
  /** `no-depth` for a coin without a curve. */
  coin: Outcome<CurveCoin>;
  /** Null for a token that is not on the chain. */
  mint: { tokenProgram: TokenProgram; decimals: number } | null;
  wallet: {
    lamports: bigint;
    tokens: bigint;
    /** Lamports in the wallet's token account; null while there is none. */
    tokenAccountLamports: number | null;
    /** Whether the wallet has the launchpad's account for its volume. */
    hasVolumeAccount: boolean;
  };
  slot: number;
}

/** Most accounts of one call. */
const ACCOUNTS_PER_CALL = 100;

export type CurveReader = ReturnType<typeof createCurveReader>;

/** Reads everything that a trade depends on. Each read rejects while the node is away. */
export function createCurveReader(node: Pick<TradingNode, 'accounts'>, clock: Clock) {
  let kept: { recipients: Recipients; at: number } | null = null;

  return {
    async read(wallet: string, address: string): Promise<CurveSnapshot> {
      const [user, mint] = [new PublicKey(wallet), new PublicKey(address)];
      const known = kept !== null && clock.now() - kept.at < RECIPIENTS_MS ? kept : null;
      // The mint's owner is not known before, so both possible token accounts are read with it.
      const own = tokenProgramIds.map((program) => tokenAccountOf(user, new PublicKey(program), mint));
      const wanted = [curveOf(mint), mint, user, volumeAccountOf(user), ...own, ...(known ? [] : [GLOBAL_ACCOUNT])];
      const { slot, accounts } = await node.accounts(wanted);
      const [curve = null, mintAccount = null, walletAccount = null, volume = null, plain = null, extended = null] =
        accounts;
      const facts = readMint(mintAccount);
      const tokenAccount = facts?.tokenProgram === tokenProgramIds[1] ? extended : plain;
      const recipients = known?.recipients ?? readRecipients(accounts[6] ?? null);
      if (recipients && !known) kept = { recipients, at: clock.now() };
      return {
        coin: coinOf(readCurve(curve), facts, recipients),
        mint: facts,
        wallet: {
          lamports: BigInt(walletAccount?.lamports ?? 0),
          tokens: readTokens(tokenAccount),
          tokenAccountLamports: tokenAccount?.lamports ?? null,
          hasVolumeAccount: volume !== null,
        },
        slot,
      };
    },

    /** Returns what wallets hold, base units, in the order of the pairs. */
    async balances(pairs: readonly { wallet: string; address: string }[]): Promise<bigint[]> {
      const accounts = pairs.flatMap(({ wallet, address }) =>
        tokenProgramIds.map((program) =>
          tokenAccountOf(new PublicKey(wallet), new PublicKey(program), new PublicKey(address)),
        ),
      );
      const found: bigint[] = [];
      for (let at = 0; at < accounts.length; at += ACCOUNTS_PER_CALL) {
        const read = await node.accounts(accounts.slice(at, at + ACCOUNTS_PER_CALL));
        found.push(...read.accounts.map(readTokens));
      }
      return pairs.map((_, index) => (found[2 * index] ?? 0n) + (found[2 * index + 1] ?? 0n));
    },

    /** Returns the lamports in a wallet; 0 for one that the chain does not have. */
    async walletLamports(wallet: string): Promise<number> {
      const { accounts } = await node.accounts([new PublicKey(wallet)]);
      return accounts[0]?.lamports ?? 0;
    },
  };
}

function coinOf(
  curve: Outcome<CurveState>,
  mint: ReturnType<typeof readMint>,
  recipients: Recipients | null,
): Outcome<CurveCoin> {
  if (!curve.ok) return curve;
  if (mint === null || recipients === null) return { ok: false, reason: reason('interface-changed') };
  return { ok: true, value: { ...curve.value, ...mint, recipients } };
}
