/** The JSON-RPC methods of the chain: those about the chain itself, and those of the other files. */
import { SECOND } from '../../../common/time.ts';
import { SLOTS_PER_EPOCH } from '../ledger/slots.ts';
import { accountMethods } from './account-methods.ts';
import type { InContext, Methods, Parts } from './method.ts';
import { countParam } from './params.ts';
import { transactionMethods } from './transaction-methods.ts';

/** Length of a performance sample, as on a validator, s. */
const SAMPLE_SECONDS = 60;

/** The version of a validator, as clients see it. */
const VERSION = { 'solana-core': '3.0.0', 'feature-set': 1 };

export function createMethods(parts: Parts): Methods {
  const { slots, genesis, transactionCount } = parts;
  const inContext: InContext = (value) => ({
    context: { apiVersion: VERSION['solana-core'], slot: slots.slot() },
    value,
  });
  return {
    getVersion: () => VERSION,
    getHealth: () => 'ok',
    getGenesisHash: () => genesis,
    getSlot: () => slots.slot(),
    getBlockHeight: (_, view) => slots.height() + view.heights,
    getBlockTime: ([slot]) => slots.timeOf(countParam(slot, slots.slot())),
    getTransactionCount: () => transactionCount(),
    getRecentPerformanceSamples: () => [
      {
        slot: slots.slot(),
        numSlots: Math.round(SAMPLE_SECONDS / (slots.slotMs() / SECOND)),
        numTransactions: 0,
        numNonVoteTransactions: 0,
        samplePeriodSecs: SAMPLE_SECONDS,
      },
    ],
    getEpochInfo: (_, view) => ({
      absoluteSlot: slots.slot(),
      blockHeight: slots.height() + view.heights,
      epoch: Math.floor(slots.slot() / SLOTS_PER_EPOCH),
      slotIndex: slots.slot() % SLOTS_PER_EPOCH,
      slotsInEpoch: SLOTS_PER_EPOCH,
      transactionCount: transactionCount(),
    }),
    ...accountMethods(parts.engine, inContext),
    ...transactionMethods(parts, inContext),
  };
}
