/** What the chain answers over JSON-RPC: the methods about itself, and those of the other files. */

import { accountMethods } from './methods-accounts.mjs';
import { transactionMethods } from './methods-transactions.mjs';
import { countParam } from './params.mjs';
import { SLOTS_PER_EPOCH } from './slots.mjs';

/** What clients take for the version of a validator. */
const VERSION = { 'solana-core': '3.0.0', 'feature-set': 1 };

/**
 * How a caller sees the chain: as it is, save in a test that let its own blockhashes expire or its transactions get
 * lost (see faults.mjs).
 * @typedef {object} View
 * @property {number} heights how much later than it is the chain seems
 * @property {number} expired blockhashes up to this height don't count
 * @property {() => boolean} dropsTransaction
 *
 * @typedef {Record<string, (params: unknown[], view: View) => unknown>} Methods
 *
 * @typedef {object} Parts
 * @property {ReturnType<typeof import('./engine.mjs').createEngine>} engine
 * @property {ReturnType<typeof import('./slots.mjs').createSlots>} slots
 * @property {ReturnType<typeof import('./history.mjs').createHistory>} history
 * @property {ReturnType<typeof import('./ledger.mjs').createLedger>} ledger
 * @property {ReturnType<typeof import('./faucet.mjs').createFaucet>} airdrop
 * @property {<T>(value: T) => { context: object, value: T }} inContext
 * @property {string} genesis
 * @property {() => number} transactionCount
 */

/** @type {View} */
export const plainView = { heights: 0, expired: 0, dropsTransaction: () => false };

/** @param {Omit<Parts, 'inContext'>} given @returns {Methods} */
export function createMethods(given) {
  const { slots, genesis, transactionCount } = given;
  const inContext = (value) => ({ context: { apiVersion: VERSION['solana-core'], slot: slots.slot() }, value });
  const parts = { ...given, inContext };
  return {
    getVersion: () => VERSION,
    getHealth: () => 'ok',
    getGenesisHash: () => genesis,
    getSlot: () => slots.slot(),
    getBlockHeight: (_, view) => slots.height() + view.heights,
    getBlockTime: ([slot]) => slots.timeOf(countParam(slot, slots.slot())),
    getTransactionCount: () => transactionCount(),
    getEpochInfo: (_, view) => ({
      absoluteSlot: slots.slot(),
      blockHeight: slots.height() + view.heights,
      epoch: Math.floor(slots.slot() / SLOTS_PER_EPOCH),
      slotIndex: slots.slot() % SLOTS_PER_EPOCH,
      slotsInEpoch: SLOTS_PER_EPOCH,
      transactionCount: transactionCount(),
    }),
    ...accountMethods(parts),
    ...transactionMethods(parts),
  };
}
