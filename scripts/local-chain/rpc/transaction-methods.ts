/** JSON-RPC methods about transactions and blockhashes. */
import { LEVELS, type Level } from '../ledger/confirmations.ts';
import type { Outcome, SimulatedOutcome } from '../ledger/engine.ts';
import { feeOf } from '../ledger/fees.ts';
import { describeError } from '../ledger/transaction-errors.ts';
import type { TransactionRecord } from '../storage/records.ts';
import { presentAccount } from './account-json.ts';
import { decodeMessage, decodeTransaction } from './decode-transaction.ts';
import { CODES, invalidParams, RpcError } from './errors.ts';
import type { InContext, Methods, Parts, View } from './method.ts';
import {
  accountFormat,
  addressParam,
  countParam,
  levelParam,
  listParam,
  optionsParam,
  signatureParam,
} from './params.ts';
import { presentTransaction } from './transaction-json.ts';

const MAX_STATUSES = 256;
const MAX_SIGNATURES = 1000;
const MAX_SIMULATED_ACCOUNTS = 20;

export function transactionMethods(parts: Parts, inContext: InContext): Methods {
  const { slots, ledger, airdrop } = parts;
  return {
    getLatestBlockhash: (_, view) => inContext(newestBlockhash(parts, view)),
    isBlockhashValid: ([hash], view) => inContext(typeof hash === 'string' && ledger.isFresh(hash, view.expired)),
    getFeeForMessage([text], view) {
      const message = decodeMessage(text);
      return inContext(ledger.isFresh(message.recentBlockhash, view.expired) ? feeOf(message) : null);
    },
    getRecentPrioritizationFees: () => [{ slot: slots.slot(), prioritizationFee: 0 }],
    requestAirdrop: ([address, lamports]) => airdrop(addressParam(address), lamports),
    ...executionMethods(parts, inContext),
    ...historyMethods(parts, inContext),
  };
}

function newestBlockhash({ slots }: Parts, { heights }: View) {
  const blockhash = slots.newest();
  return { blockhash, lastValidBlockHeight: (slots.heightOfHash(blockhash) ?? 0) + slots.window + heights };
}

function executionMethods(parts: Parts, inContext: InContext): Methods {
  const { engine, slots, ledger } = parts;
  const presentAfter = (wanted: unknown, outcome: SimulatedOutcome) => {
    if (wanted === undefined) return null;
    const { addresses } = optionsParam(wanted);
    const format = accountFormat(wanted, 'base64');
    return listParam(addresses, MAX_SIMULATED_ACCOUNTS).map((value) => {
      const address = addressParam(value);
      const state = outcome.err === null ? (outcome.after.get(address) ?? engine.account(address)) : null;
      return state && presentAccount(state, format, engine.account);
    });
  };
  return {
    async sendTransaction([text, options], view) {
      const { encoding = 'base58', skipPreflight = false, minContextSlot = 0 } = optionsParam(options);
      const transaction = decodeTransaction(text, encoding);
      if (Number(minContextSlot) > slots.slot()) {
        throw new RpcError(CODES.contextSlotNotReached, 'Minimum context slot has not been reached');
      }
      if (!skipPreflight) {
        const preflight = { verifySignatures: true, anyBlockhash: false, since: view.expired };
        throwIfFailed(ledger.simulate(transaction, preflight));
      }
      // A transaction sent twice takes effect once; the second response also waits until it is on disk.
      if (!view.dropsTransaction()) ledger.execute(transaction, view.expired);
      await ledger.whenWritten(transaction.signature);
      return transaction.signature;
    },
    simulateTransaction([text, options], view) {
      const { encoding = 'base58', sigVerify, replaceRecentBlockhash, ...more } = optionsParam(options);
      if (sigVerify && replaceRecentBlockhash) {
        throw invalidParams('sigVerify may not be used with replaceRecentBlockhash');
      }
      const outcome = ledger.simulate(decodeTransaction(text, encoding), {
        verifySignatures: sigVerify === true,
        anyBlockhash: replaceRecentBlockhash === true,
        since: view.expired,
      });
      if (outcome.err === 'SignatureFailure') throwIfFailed(outcome);
      return inContext({
        err: outcome.err,
        logs: outcome.logs,
        unitsConsumed: outcome.unitsConsumed,
        returnData: outcome.returnData,
        innerInstructions: more.innerInstructions ? outcome.innerInstructions : null,
        accounts: presentAfter(more.accounts, outcome),
        replacementBlockhash: replaceRecentBlockhash ? newestBlockhash(parts, view) : null,
      });
    },
  };
}

/** Throws the error of a failed preflight check. */
function throwIfFailed({ err, logs, returnData, unitsConsumed }: Outcome): void {
  if (err === null) return;
  if (err === 'SignatureFailure') {
    throw new RpcError(CODES.signatureFailure, 'Transaction signature verification failure');
  }
  const missing = { accounts: null, innerInstructions: null, replacementBlockhash: null };
  const data = { err, logs, returnData, unitsConsumed, ...missing };
  throw new RpcError(CODES.preflightFailure, `Transaction simulation failed: ${describeError(err)}`, { data });
}

function historyMethods({ slots, history, ledger }: Parts, inContext: InContext): Methods {
  const hasReached = (record: TransactionRecord, level: Level): boolean =>
    LEVELS.indexOf(ledger.levelOf(record)) >= LEVELS.indexOf(level);
  return {
    getSignatureStatuses([signatures]) {
      const statuses = listParam(signatures, MAX_STATUSES).map((signature) => {
        const record = history.get(signatureParam(signature));
        if (!record) return null;
        const level = ledger.levelOf(record);
        const confirmations = level === 'finalized' ? null : slots.slot() - record.slot;
        const { err, status } = record.meta;
        return { slot: record.slot, confirmations, err, status, confirmationStatus: level };
      });
      return inContext(statuses);
    },
    getTransaction([signature, options]) {
      const given = typeof options === 'string' ? { encoding: options } : optionsParam(options);
      const {
        encoding = 'json',
        commitment,
        maxSupportedTransactionVersion: version,
      } = { commitment: null, maxSupportedTransactionVersion: undefined, ...given };
      const record = history.get(signatureParam(signature));
      if (!record || !hasReached(record, levelParam(commitment))) return null;
      return presentTransaction(record, encoding, typeof version === 'number' ? version : undefined);
    },
    getSignaturesForAddress([address, options]) {
      const { before, until, limit = MAX_SIGNATURES, commitment } = optionsParam(options);
      const count = countParam(limit, MAX_SIGNATURES);
      const level = levelParam(commitment);
      const all = history.of(addressParam(address));
      const indexOf = (signature: unknown): number => all.findIndex((record) => record.signature === signature);
      const end = until === undefined ? -1 : indexOf(until);
      return all
        .slice(before === undefined ? 0 : indexOf(before) + 1, end < 0 ? undefined : end)
        .filter((record) => hasReached(record, level))
        .slice(0, count)
        .map((record) => ({
          signature: record.signature,
          slot: record.slot,
          err: record.meta.err,
          memo: null,
          blockTime: record.blockTime,
          confirmationStatus: ledger.levelOf(record),
        }));
    },
  };
}
