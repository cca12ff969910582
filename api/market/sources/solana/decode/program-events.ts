import bs58 from 'bs58';
import type { TransactionVersion } from '../../../../chain/network-facts.ts';

/** Bytes that one of the followed programs emitted as an event. */
export interface EmittedEvent {
  /** Address of the program. */
  program: string;
  bytes: Buffer;
}

/** Events in the log of a transaction. */
export interface LoggedEvents {
  /** In order. */
  events: EmittedEvent[];
  /** True when the node truncated the lines: `events` is a beginning, and the transaction has the rest. */
  truncated: boolean;
}

const invoke = /^Program ([1-9A-HJ-NP-Za-km-z]{32,44}) invoke \[(\d{1,3})\]$/;
const finished = /^Program [1-9A-HJ-NP-Za-km-z]{32,44} (?:success$|failed)/;
const dataPrefix = 'Program data: ';
const truncatedLine = 'Log truncated';

/**
 * Returns the events in a log, found by following the call stack: any program can print any bytes, and several programs share
 * discriminators, but only the runtime writes `Program … invoke [depth]` (a program's own text has the prefix `Program log: `).
 * The program on top of the stack decides.
 *
 * Stops at `Log truncated`: after it the node drops long lines and keeps short ones, so neither the caller nor the index of a
 * later event is certain.
 *
 * @param programs addresses of the followed programs
 */
export function loggedEvents(lines: readonly string[], programs: ReadonlySet<string>): LoggedEvents {
  const callers: string[] = [];
  const events: EmittedEvent[] = [];
  for (const line of lines) {
    if (line === truncatedLine) return { events, truncated: true };
    const call = invoke.exec(line);
    if (call?.[1] !== undefined) {
      // A node that writes a depth of 0 must not end the source.
      callers.length = Math.min(callers.length, Math.max(0, Number(call[2]) - 1));
      callers.push(call[1]);
    } else if (finished.test(line)) callers.pop();
    else if (line.startsWith(dataPrefix)) {
      const program = callers.at(-1);
      if (program === undefined || !programs.has(program)) continue;
      events.push({ program, bytes: Buffer.from(line.slice(dataPrefix.length), 'base64') });
    }
  }
  return { events, truncated: false };
}

/** Anchor's marker of an event that a program sends to itself as an instruction; the event follows it. */
const selfInvoke = Buffer.from('e445a52e51cb9a1d', 'hex');

/** The used part of a fetched transaction; web3.js' `ParsedTransactionWithMeta` fits. */
export interface FetchedTransaction {
  slot: number;
  version?: TransactionVersion;
  /** Unix seconds; null or missing when the node does not know it. */
  blockTime?: number | null;
  /** Instructions that the transaction itself calls. */
  transaction?: { message: { instructions: InnerInstruction[] } };
  meta: {
    err: unknown;
    postTokenBalances?: { mint: string; uiTokenAmount: { decimals: number } }[] | null;
    logMessages?: string[] | null;
    innerInstructions?: { index: number; instructions: InnerInstruction[] }[] | null;
  } | null;
}
type InnerInstruction = { programId: { toString(): string } } & object;

/**
 * Returns the events of the followed programs in order, so that an event has the same index from logs and from a transaction.
 * pump.fun and PumpSwap emit each event twice, as a log line and as an instruction to themselves; the lists are equal unless
 * the node truncated the logs, so the longer one is complete.
 */
export function transactionEvents(transaction: FetchedTransaction, programs: ReadonlySet<string>): EmittedEvent[] {
  const { meta } = transaction;
  if (meta === null || meta.err !== null) return [];
  const logged = loggedEvents(meta.logMessages ?? [], programs).events;
  const called = calledEvents(meta.innerInstructions ?? [], programs);
  return called.length > logged.length ? called : logged;
}

function calledEvents(
  inner: { index: number; instructions: InnerInstruction[] }[],
  programs: ReadonlySet<string>,
): EmittedEvent[] {
  return inner
    .toSorted((a, b) => a.index - b.index)
    .flatMap(({ instructions }) => instructions)
    .filter((instruction) => programs.has(instruction.programId.toString()))
    .map((instruction) => ({ program: instruction.programId.toString(), bytes: instructionData(instruction) }))
    .filter(({ bytes }) => bytes.subarray(0, selfInvoke.length).equals(selfInvoke))
    .map(({ program, bytes }) => ({ program, bytes: bytes.subarray(selfInvoke.length) }));
}

/** A call of a program, with the events that the program sent to itself meanwhile. */
export interface ProgramCall {
  /** Addresses, in the order of the instruction. */
  accounts: string[];
  /** Discriminator and arguments. */
  data: Buffer;
  events: Buffer[];
}

/**
 * Returns the calls of a program in order, by the transaction itself or by other programs. Only the program can send itself
 * an event, so its events are genuine. Never throws.
 */
export function programCalls({ transaction, meta }: FetchedTransaction, program: string): ProgramCall[] {
  if (meta === null || meta.err !== null) return [];
  const calls: ProgramCall[] = [];
  for (const [index, outer] of (transaction?.message.instructions ?? []).entries()) {
    const inner = (meta.innerInstructions ?? []).filter((one) => one.index === index);
    const all = [outer, ...inner.flatMap(({ instructions }) => instructions)];
    for (const instruction of all) if (instruction.programId.toString() === program) addCall(calls, instruction);
  }
  return calls;
}

function addCall(calls: ProgramCall[], instruction: InnerInstruction): void {
  const data = instructionData(instruction);
  if (data.subarray(0, selfInvoke.length).equals(selfInvoke)) {
    calls.at(-1)?.events.push(data.subarray(selfInvoke.length));
    return;
  }
  const accounts = 'accounts' in instruction && Array.isArray(instruction.accounts) ? instruction.accounts : [];
  calls.push({ accounts: accounts.map(String), data, events: [] });
}

function instructionData(instruction: object): Buffer {
  const data = 'data' in instruction && typeof instruction.data === 'string' ? instruction.data : '';
  // Invalid base58 is not an event.
  return Buffer.from(bs58.decodeUnsafe(data) ?? []);
}
