import bs58 from 'bs58';

/** Log output of one program within a transaction. */
export interface ProgramData {
  /** base64 texts of the program's own `Program data:` lines, in order. */
  data: string[];
  /** True when the node truncated the lines: `data` is a beginning, and the transaction has the rest. */
  truncated: boolean;
}

const invoke = /^Program ([1-9A-HJ-NP-Za-km-z]{32,44}) invoke \[(\d{1,3})\]$/;
const finished = /^Program [1-9A-HJ-NP-Za-km-z]{32,44} (?:success$|failed)/;
const dataPrefix = 'Program data: ';
const truncatedLine = 'Log truncated';

/**
 * Returns the data lines of `program`, found by following the call stack: any program can print any bytes, but only the
 * runtime writes `Program … invoke [depth]` (a program's own text has the prefix `Program log: `).
 *
 * Stops at `Log truncated`: after it the node drops long lines and keeps short ones, so neither the caller nor the index of a
 * later event is certain.
 */
export function programData(lines: readonly string[], program: string): ProgramData {
  const callers: string[] = [];
  const data: string[] = [];
  for (const line of lines) {
    if (line === truncatedLine) return { data, truncated: true };
    const call = invoke.exec(line);
    if (call?.[1] !== undefined) {
      callers.length = Math.min(callers.length, Number(call[2]) - 1);
      callers.push(call[1]);
    } else if (finished.test(line)) callers.pop();
    else if (line.startsWith(dataPrefix) && callers.at(-1) === program) data.push(line.slice(dataPrefix.length));
  }
  return { data, truncated: false };
}

/** Anchor's marker of an event that a program sends to itself as an instruction; the event follows it. */
const selfInvoke = Buffer.from('e445a52e51cb9a1d', 'hex');

/** The used part of a fetched transaction; web3.js' `ParsedTransactionWithMeta` fits. */
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
 * Returns the bytes of the program's events in order, so that an event has the same index from logs and from a transaction.
 * pump.fun emits each event twice, as a log line and as an instruction to itself; the lists are equal unless the node
 * truncated the logs, so the longer one is complete.
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
  // Invalid base58 is not an event.
  return Buffer.from(bs58.decodeUnsafe(data) ?? []);
}
