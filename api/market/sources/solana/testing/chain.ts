import type { FakeNode } from '../../../../chain/testing/fake-node.ts';
import { encodeEvent, frameOf, logsOf } from './encode.ts';
import { fixture, tradeEvent } from './events.ts';

const buy = encodeEvent(tradeEvent());

/** Puts transactions, oldest first, on the fake chain for backfill and fetch. */
export function chain(
  node: FakeNode,
  transactions: { signature: string; slot: number; logs: string[]; err?: unknown }[],
): void {
  const all = new Map(transactions.map((one) => [one.signature, one]));
  node.on('getSignaturesForAddress', ([, range]) => {
    const { until, before } = (range ?? {}) as { until?: string; before?: string }; // what web3.js sends
    const newestFirst = transactions.toReversed();
    const from = before === undefined ? 0 : newestFirst.findIndex(({ signature }) => signature === before) + 1;
    const end = newestFirst.findIndex(({ signature }) => signature === until);
    const entries = newestFirst.slice(from, end < 0 ? undefined : end);
    return {
      result: entries.map(({ signature, slot, err = null }) => ({ signature, slot, err, memo: null, blockTime: null })),
    };
  });
  node.on('getTransaction', ([signature]) => {
    const found = all.get(String(signature));
    return { result: found === undefined ? null : transactionOf(found) };
  });
}

/** Returns a fetched transaction in the shape of the recorded one. */
export function transactionOf({ signature, slot, logs }: { signature: string; slot: number; logs: string[] }): unknown {
  const { result } = JSON.parse(fixture('getTransaction_create_v2.json'));
  return {
    ...result,
    slot,
    transaction: { ...result.transaction, signatures: [signature] },
    meta: { ...result.meta, logMessages: logs, innerInstructions: [] },
  };
}

/** Returns the frame of a transaction with one buy. */
export const frame = (signature: string, slot: number) => frameOf({ signature, slot, logs: logsOf([buy]) });
/** Returns the same transaction for `chain`. */
export const onChain = (signature: string, slot: number) => ({ signature, slot, logs: logsOf([buy]) });
