import type { PublicKey, VersionedTransactionResponse } from '@solana/web3.js';
import { PublicKey as Key } from '@solana/web3.js';
import { SECOND } from '../../../common/time.ts';
import { noExtraCosts, priceOf, SIGNATURE_FEE_LAMPORTS } from '../../../common/trading/fills.ts';
import { reason } from '../../../common/trading/reasons.ts';
import { createDecoder } from '../../market/sources/solana/decode/decode-event.ts';
import { loggedEvents } from '../../market/sources/solana/decode/program-events.ts';
import { pumpEvents } from '../../market/sources/solana/decode/pump-events.ts';
import { pumpSwapEvents } from '../../market/sources/solana/decode/pump-swap-events.ts';
import { pumpProgram, pumpSwapProgram } from '../../market/sources/solana/programs.ts';
import type { AttemptVerdict, SentAttempt, TradeFill } from '../executors/executor.ts';
import { volumeAccountOf } from './instructions.ts';
import { failureOf } from './program-errors.ts';
import { tradesIn } from './transaction.ts';

const decodeEvent = createDecoder(pumpEvents);
const decodePoolEvent = createDecoder(pumpSwapEvents);
/** On the local chain the launchpad's program has the pools as well. */
const programs = new Set([pumpProgram, pumpSwapProgram]);

type Meta = NonNullable<VersionedTransactionResponse['meta']>;

/**
 * Returns the chain's verdict on an attempt from its transaction in a block: success only when the wallet's balance of the token rose
 * (purchase) or fell (sale). Tokens, SOL, fees and rents are differences of balances, so that fills add up to the wallet's balance;
 * the launchpad's event only splits price and fee. null when the node omits the outcome.
 */
export function tradeResult(
  attempt: SentAttempt,
  response: VersionedTransactionResponse,
  now: number,
): AttemptVerdict | null {
  const { meta, slot } = response;
  if (!meta) return null;
  const keys = accountsOf(response, meta);
  const change = balancesOf(meta, keys, attempt);
  if (meta.err !== null) {
    const failed = {
      side: attempt.side,
      instructions: tradesIn(response.transaction.message),
      slippageBps: attempt.slippageBps,
      hasLamports: change.walletBefore,
      needsLamports: Number(attempt.lamports ?? 0n) + meta.fee + attempt.tipLamports,
    };
    return { outcome: 'reverted', reason: failureOf(meta.err, failed), feeLamports: meta.fee, slot };
  }
  const moved = attempt.side === 'buy' ? change.tokens : -change.tokens;
  if (moved <= 0n) {
    const feeLamports = Math.max(meta.fee, -change.wallet);
    return { outcome: 'reverted', reason: reason('no-effect'), feeLamports, slot };
  }
  const at = landedAt(attempt, response, now);
  return { outcome: 'landed', fill: fillOf(attempt, meta, change, moved, { slot, at }) };
}

/**
 * Returns the time of a transaction, epoch ms: that of its block, and `now` without one. Block times are whole seconds of the network's
 * clock, so they are kept between the first send and now: a price before the purchase must not count as one after it.
 */
function landedAt(
  { firstSentAt }: Pick<SentAttempt, 'firstSentAt'>,
  { blockTime }: Pick<VersionedTransactionResponse, 'blockTime'>,
  now: number,
): number {
  if (typeof blockTime !== 'number') return now;
  return Math.min(now, Math.max(blockTime * SECOND, firstSentAt ?? 0));
}

/** What a transaction changed for a wallet: lamports and base units, after less before. */
interface Change {
  /** Lamports of the wallet before. */
  walletBefore: number;
  wallet: number;
  tokens: bigint;
  decimals: number;
  /** Lamports of the wallet's accounts for the token, and of the launchpad's account for its volume. */
  tokenAccounts: number;
  volumeAccount: number;
}

function fillOf(
  attempt: SentAttempt,
  meta: Meta,
  change: Change,
  tokens: bigint,
  place: { slot: number; at: number },
): TradeFill {
  const { side, tipLamports } = attempt;
  // The wallet is the fee payer. Rents left it for its own accounts, or came back from them.
  const traded = change.wallet + meta.fee + tipLamports + change.tokenAccounts + change.volumeAccount;
  const lamports = side === 'buy' ? -traded : traded;
  const quote = quoteInEvent(meta, attempt) ?? quoteInPoolEvent(meta, attempt, tokens);
  // Without an event the fee is unknown: it is a part of the price then.
  const launchpadFeeLamports = quote === null ? null : Math.abs(lamports - quote);
  return {
    tokens,
    lamports: BigInt(lamports),
    costs: {
      ...noExtraCosts,
      launchpadFeeLamports,
      networkFeeLamports: Math.min(meta.fee, SIGNATURE_FEE_LAMPORTS),
      priorityFeeLamports: Math.max(0, meta.fee - SIGNATURE_FEE_LAMPORTS),
      tipLamports,
      accountRentLamports: Math.max(0, change.tokenAccounts),
      volumeRentLamports: Math.max(0, change.volumeAccount),
      returnedRentLamports: Math.max(0, -change.tokenAccounts),
    },
    price: priceOf(quote ?? lamports, Number(tokens), change.decimals),
    ...place,
  };
}

/** Returns all accounts of a transaction in order. */
function accountsOf({ transaction }: VersionedTransactionResponse, { loadedAddresses }: Meta): string[] {
  const keys = transaction.message.getAccountKeys(
    loadedAddresses ? { accountKeysFromLookups: loadedAddresses } : undefined,
  );
  return Array.from({ length: keys.length }, (_, index) => keys.get(index)?.toBase58() ?? '');
}

function balancesOf(meta: Meta, keys: readonly string[], { wallet, address }: SentAttempt): Change {
  const lamports = (index: number) =>
    index < 0 ? 0 : (meta.postBalances[index] ?? 0) - (meta.preBalances[index] ?? 0);
  const own = (balances: Meta['preTokenBalances']) =>
    (balances ?? []).filter(({ owner, mint }) => owner === wallet && mint === address);
  const [before, after] = [own(meta.preTokenBalances), own(meta.postTokenBalances)];
  const sum = (balances: typeof before) =>
    balances.reduce((total, { uiTokenAmount }) => total + BigInt(uiTokenAmount.amount), 0n);
  const accounts = new Set([...before, ...after].map(({ accountIndex }) => accountIndex));
  const at = keys.indexOf(wallet);
  const volume: PublicKey = volumeAccountOf(new Key(wallet));
  return {
    walletBefore: meta.preBalances[at] ?? 0,
    wallet: lamports(at),
    tokens: sum(after) - sum(before),
    decimals: [...after, ...before][0]?.uiTokenAmount.decimals ?? 0,
    tokenAccounts: [...accounts].reduce((total, index) => total + lamports(index), 0),
    volumeAccount: lamports(keys.indexOf(volume.toBase58())),
  };
}

/** Returns the price of the trade without fees, lamports, from the launchpad's event; null when it can't be read. */
function quoteInEvent({ logMessages }: Meta, { wallet, address, side }: SentAttempt): number | null {
  for (const { bytes } of loggedEvents(logMessages ?? [], programs).events) {
    const decoded = decodeEvent(bytes);
    if (!decoded.ok || decoded.event.name !== 'TradeEvent') continue;
    const { mint, user, is_buy: isBuy, quote_amount: quote, sol_amount: sol } = decoded.event.fields;
    if (mint === address && user === wallet && isBuy === (side === 'buy')) return Number(quote ?? sol);
  }
  return null;
}

/**
 * Returns the same from the event of a pool, which names no mint; null unless one event is about all tokens of the trade: a route may
 * lead through several pools.
 */
function quoteInPoolEvent({ logMessages }: Meta, { wallet, side }: SentAttempt, tokens: bigint): number | null {
  for (const { bytes } of loggedEvents(logMessages ?? [], programs).events) {
    const decoded = decodePoolEvent(bytes);
    if (!decoded.ok) continue;
    const { event } = decoded;
    if (event.name === 'BuyEvent' && side === 'buy') {
      const { user, base_amount_out: bought, quote_amount_in: quote } = event.fields;
      if (user === wallet && bought === tokens) return Number(quote);
    }
    if (event.name === 'SellEvent' && side === 'sell') {
      const { user, base_amount_in: sold, quote_amount_out: quote } = event.fields;
      if (user === wallet && sold === tokens) return Number(quote);
    }
  }
  return null;
}
