/** JSON-RPC methods about transactions and blockhashes. */
import { presentAccount } from './accounts.mjs';
import { CODES, invalidParams, RpcError, wordsOf } from './errors.mjs';
import { feeOf } from './fees.mjs';
import { LEVELS } from './ledger.mjs';
import { addressParam, countParam, levelParam, listParam, optionsParam, signatureParam } from './params.mjs';
import { presentTransaction } from './transactions.mjs';
import { decodeMessage, decodeTransaction } from './wire.mjs';

const MOST_STATUSES = 256;
const MOST_SIGNATURES = 1000;
const MOST_SIMULATED_ACCOUNTS = 20;

function refuseFailed(outcome) {
  const { err, logs, returnData, unitsConsumed } = outcome;
  if (err === null) return;
  if (err === 'SignatureFailure') {
    throw new RpcError(CODES.signatureFailure, 'Transaction signature verification failure');
  }
  const data = {
    accounts: null,
    err,
    innerInstructions: null,
    logs,
    replacementBlockhash: null,
    returnData,
    unitsConsumed,
  };
  throw new RpcError(CODES.preflightFailure, `Transaction simulation failed: ${wordsOf(err)}`, { data });
}

/** @param {import('./methods.mjs').Parts} parts @returns {import('./methods.mjs').Methods} */
export function transactionMethods({ engine, slots, history, ledger, airdrop, inContext }) {
  const accountAt = (address) => engine.account(address);
  const hasReached = (record, level) => LEVELS.indexOf(ledger.levelOf(record)) >= LEVELS.indexOf(level);

  const newestBlockhash = ({ heights }) => {
    const blockhash = slots.newest();
    return { blockhash, lastValidBlockHeight: slots.heightOfHash(blockhash) + slots.window + heights };
  };

  const simulatedAccounts = (wanted, outcome) => {
    if (wanted === undefined) return null;
    const { addresses, encoding = 'base64' } = optionsParam(wanted);
    return listParam(addresses, MOST_SIMULATED_ACCOUNTS).map((value) => {
      const address = addressParam(value);
      const state = outcome.err === null ? (outcome.after.get(address) ?? engine.account(address)) : null;
      return state && presentAccount(state, { encoding }, accountAt);
    });
  };

  return {
    getLatestBlockhash: (_, view) => inContext(newestBlockhash(view)),
    isBlockhashValid: ([hash], view) => inContext(typeof hash === 'string' && ledger.isFresh(hash, view.expired)),
    getFeeForMessage([text], view) {
      const message = decodeMessage(text);
      return inContext(ledger.isFresh(message.recentBlockhash, view.expired) ? feeOf(message) : null);
    },
    getRecentPrioritizationFees: () => [{ slot: slots.slot(), prioritizationFee: 0 }],
    requestAirdrop: ([address, lamports]) => airdrop(addressParam(address), lamports),

    async sendTransaction([text, options], view) {
      const { encoding = 'base58', skipPreflight = false, minContextSlot = 0 } = optionsParam(options);
      const transaction = decodeTransaction(text, encoding);
      if (minContextSlot > slots.slot()) {
        throw new RpcError(CODES.contextSlotNotReached, 'Minimum context slot has not been reached');
      }
      if (!skipPreflight) {
        refuseFailed(
          ledger.simulate(transaction, { verifySignatures: true, anyBlockhash: false, since: view.expired }),
        );
      }
      // The same one twice has the same effect as once; the second answer too waits until it is on disk.
      if (!view.dropsTransaction()) ledger.execute(transaction, view.expired);
      await ledger.whenWritten(transaction.signature);
      return transaction.signature;
    },

    simulateTransaction([text, options], view) {
      const { encoding = 'base58', sigVerify = false, replaceRecentBlockhash = false, ...more } = optionsParam(options);
      if (sigVerify && replaceRecentBlockhash) {
        throw invalidParams('sigVerify may not be used with replaceRecentBlockhash');
      }
      const how = {
        verifySignatures: sigVerify === true,
        anyBlockhash: replaceRecentBlockhash === true,
        since: view.expired,
      };
      const outcome = ledger.simulate(decodeTransaction(text, encoding), how);
      if (outcome.err === 'SignatureFailure') refuseFailed(outcome);
      return inContext({
        err: outcome.err,
        logs: outcome.logs,
        unitsConsumed: outcome.unitsConsumed,
        returnData: outcome.returnData,
        innerInstructions: more.innerInstructions ? outcome.inner : null,
        accounts: simulatedAccounts(more.accounts, outcome),
        replacementBlockhash: replaceRecentBlockhash ? newestBlockhash(view) : null,
      });
    },

    getSignatureStatuses([signatures]) {
      const statuses = listParam(signatures, MOST_STATUSES).map((signature) => {
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
      const {
        encoding = 'json',
        commitment,
        maxSupportedTransactionVersion,
      } = typeof options === 'string' ? { encoding: options } : optionsParam(options);
      const record = history.get(signatureParam(signature));
      if (!record || !hasReached(record, levelParam(commitment))) return null;
      return presentTransaction(record, encoding, maxSupportedTransactionVersion);
    },

    getSignaturesForAddress([address, options]) {
      const { before, until, limit = MOST_SIGNATURES, commitment } = optionsParam(options);
      const most = countParam(limit, MOST_SIGNATURES);
      const level = levelParam(commitment);
      const all = history.of(addressParam(address));
      const indexOf = (signature) => all.findIndex((record) => record.signature === signature);
      const end = until === undefined ? -1 : indexOf(until);
      const chosen = all.slice(before === undefined ? 0 : indexOf(before) + 1, end < 0 ? undefined : end);
      return chosen
        .filter((record) => hasReached(record, level))
        .slice(0, most)
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
