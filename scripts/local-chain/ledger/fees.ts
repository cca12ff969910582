/** The fee of a transaction, in lamports. */
import type { VersionedMessage } from '@solana/web3.js';

const LAMPORTS_PER_SIGNATURE = 5000;
const MICROLAMPORTS_PER_LAMPORT = 1_000_000n;
const COMPUTE_BUDGET_PROGRAM = 'ComputeBudget111111111111111111111111111111';
const SET_LIMIT = 2;
const SET_PRICE = 3;
/** Default compute units of an instruction: of a built-in program, and of any other. */
const BUILT_IN_UNITS = 3_000;
const OTHER_UNITS = 200_000;
const MAX_UNITS = 1_400_000;
const BUILT_IN = new Set([
  COMPUTE_BUDGET_PROGRAM,
  '11111111111111111111111111111111',
  'Vote111111111111111111111111111111111111111',
  'BPFLoaderUpgradeab1e11111111111111111111111',
]);

/** Returns the fee for `units` compute units, rounded up to a lamport. `price`: microlamports per unit. */
function priorityFee(price: bigint, units: bigint): number {
  const microlamports = price * units;
  const whole = Number(microlamports / MICROLAMPORTS_PER_LAMPORT);
  return microlamports % MICROLAMPORTS_PER_LAMPORT === 0n ? whole : whole + 1;
}

/** Returns the fee of a transaction with this message. */
export function feeOf(message: VersionedMessage): number {
  return message.header.numRequiredSignatures * LAMPORTS_PER_SIGNATURE + extraFeeOf(message);
}

/** Returns what a transaction pays to come first; version 1 names the sum. */
function extraFeeOf(message: VersionedMessage): number {
  if (message.version === 1) return message.transactionConfig.priorityFee ?? 0;
  let price = 0n;
  let limit: number | null = null;
  let units = 0;
  for (const { programIdIndex, data } of message.compiledInstructions) {
    const program = message.staticAccountKeys[programIdIndex]?.toBase58() ?? '';
    const bytes = Buffer.from(data);
    if (program === COMPUTE_BUDGET_PROGRAM) {
      if (bytes[0] === SET_LIMIT && bytes.length >= 5) limit = bytes.readUInt32LE(1);
      if (bytes[0] === SET_PRICE && bytes.length >= 9) price = bytes.readBigUInt64LE(1);
    }
    units += BUILT_IN.has(program) ? BUILT_IN_UNITS : OTHER_UNITS;
  }
  const paidUnits = BigInt(Math.min(limit ?? units, MAX_UNITS));
  return priorityFee(price, paidUnits);
}
