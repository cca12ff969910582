import bs58 from 'bs58';
import { programData } from './program-events.ts';

/** Anchor's mark of an event that a program sends to itself as an instruction; the event follows behind it. */
const selfInvoke = Buffer.from('e445a52e51cb9a1d', 'hex');

/** The part of a fetched transaction that is read; web3.js' `ParsedTransactionWithMeta` fits. */
export interface FetchedTransaction {
  slot: number;
  meta: {
    err: unknown;
    logMessages?: string[] | null;
    innerInstructions?: { index: number; instructions: InnerInstruction[] }[] | null;
  } | null;
}
type InnerInstruction = { programId: { toString(): string } } & object;

/**
 * Bytes of the events that `program` told of in a fetched transaction, in order, so that the place in the list is the
 * event's index whichever way it was read. Pump.fun tells each event twice, as a log line and as an instruction to
 * itself; the two lists are the same unless the node cut the logs, so the longer one is the whole.
 */
export function transactionEvents(transaction: FetchedTransaction, program: string): Buffer[] {
  const { meta } = transaction;
  if (meta === null || meta.err !== null) return [];
  const logged = programData(meta.logMessages ?? [], program).data.map((text) => Buffer.from(text, 'base64'));
  const called = calledEvents(meta.innerInstructions ?? [], program);
  return called.length > logged.length ? called : logged;
}

function calledEvents(inner: { index: number; instructions: InnerInstruction[] }[], program: string): Buffer[] {
  return inner
    .toSorted((a, b) => a.index - b.index)
    .flatMap(({ instructions }) => instructions)
    .filter((instruction) => instruction.programId.toString() === program)
    .map(instructionData)
    .filter((bytes) => bytes.subarray(0, selfInvoke.length).equals(selfInvoke))
    .map((bytes) => bytes.subarray(selfInvoke.length));
}

function instructionData(instruction: object): Buffer {
  const data = 'data' in instruction && typeof instruction.data === 'string' ? instruction.data : '';
  // base58 that cannot be read is no event; a node would have to send garbage for it.
  const bytes = bs58.decodeUnsafe(data);
  return Buffer.from(bytes ?? []);
}
