/**
 * Decodes transactions. The engine ABORTS the whole process on bytes it can't read, so it only receives bytes that a
 * well-formed transaction serializes to.
 */
import { VersionedMessage, VersionedTransaction } from '@solana/web3.js';
import bs58 from 'bs58';
import type { CheckedTransaction } from '../ledger/ledger.ts';
import { encodeMessage, encodeTransaction, PREFIX_V1 } from './encode-message.ts';
import { invalidParams } from './errors.ts';

/** The payload of one network packet; version 1 may be longer. */
const LONGEST_TRANSACTION = 1232;
const LONGEST_V1 = 4096;
/** Most of what a transaction of version 1 names. */
const MOST_V1 = { signatures: 12, accounts: 64, instructions: 64 } as const;
/** Longest text, and the bytes that it stands for. Checked first, as base58 takes time by the square of the length: no version 1. */
const LONGEST_TEXT = new Map([
  ['base58', { encoded: 1683, raw: LONGEST_TRANSACTION }],
  ['base64', { encoded: 5464, raw: LONGEST_V1 }],
]);
const TYPE = 'solana_transaction::versioned::VersionedTransaction';

function decodeText(text: unknown, encoding: unknown): Buffer {
  if (typeof text !== 'string') throw invalidParams('invalid type: expected a string');
  const longest = LONGEST_TEXT.get(String(encoding));
  if (longest === undefined) {
    throw invalidParams(`unsupported encoding: ${String(encoding)}. Supported encodings: base58, base64`);
  }
  if (text.length > longest.encoded) {
    const limits = `max: encoded/raw ${longest.encoded}/${longest.raw}`;
    throw invalidParams(`${String(encoding)} encoded ${TYPE} too large: ${text.length} bytes (${limits})`);
  }
  try {
    if (encoding === 'base58') return Buffer.from(bs58.decode(text));
    const bytes = Buffer.from(text, 'base64');
    if (bytes.toString('base64') !== text) throw new Error('not canonical');
    return bytes;
  } catch {
    throw invalidParams(`invalid ${String(encoding)} encoding`);
  }
}

/** Returns whether every index is in range, which a validator checks first as well. */
function isSane(message: VersionedMessage, signatures: readonly Uint8Array[]): boolean {
  const { numRequiredSignatures, numReadonlySignedAccounts, numReadonlyUnsignedAccounts } = message.header;
  const named = message.staticAccountKeys.length;
  const lookedUp = message.addressTableLookups.map(
    (table) => table.writableIndexes.length + table.readonlyIndexes.length,
  );
  const all = lookedUp.reduce((sum, count) => sum + count, named);
  return (
    (message.version !== 1 || isWithinV1(message)) &&
    signatures.length === numRequiredSignatures &&
    numReadonlySignedAccounts < numRequiredSignatures &&
    numRequiredSignatures + numReadonlyUnsignedAccounts <= named &&
    all <= 256 &&
    !lookedUp.includes(0) &&
    message.compiledInstructions.every(
      ({ programIdIndex, accountKeyIndexes }) =>
        programIdIndex > 0 && programIdIndex < named && accountKeyIndexes.every((index) => index < all),
    )
  );
}

/** Returns whether a message keeps the limits of version 1, which its number of bytes does not ensure. */
function isWithinV1({ header, staticAccountKeys, compiledInstructions }: VersionedMessage): boolean {
  return (
    header.numRequiredSignatures <= MOST_V1.signatures &&
    staticAccountKeys.length <= MOST_V1.accounts &&
    compiledInstructions.length <= MOST_V1.instructions
  );
}

/** Decodes a transaction in `base58` or `base64`. Throws an `RpcError` unless it is whole, canonical and sane. */
export function decodeTransaction(text: unknown, encoding: unknown): CheckedTransaction {
  const bytes = decodeText(text, encoding);
  const longest = bytes[0] === PREFIX_V1 ? LONGEST_V1 : LONGEST_TRANSACTION;
  if (bytes.length > longest) {
    throw invalidParams(`decoded ${TYPE} too large: ${bytes.length} bytes (max: ${longest} bytes)`);
  }
  return checkTransaction(bytes);
}

/** Checks the bytes of a transaction. Throws an `RpcError` unless they are whole, canonical and sane. */
export function checkTransaction(raw: Uint8Array): CheckedTransaction {
  const bytes = Buffer.from(raw);
  const { message, signatures } = deserialize(bytes);
  const [signature] = signatures;
  if (!signature || !isSane(message, signatures)) {
    throw invalidParams('invalid transaction: Transaction failed to sanitize accounts offsets correctly');
  }
  return { bytes, message, signature: bs58.encode(signature) };
}

function deserialize(bytes: Buffer): VersionedTransaction {
  try {
    const transaction = VersionedTransaction.deserialize(bytes);
    if (bytes.equals(encodeTransaction(transaction))) return transaction;
  } catch {
    // Reported below.
  }
  throw invalidParams(`failed to deserialize ${TYPE}: io error`);
}

/** Decodes a message in base64. Throws an `RpcError` unless it is whole and canonical. */
export function decodeMessage(text: unknown): VersionedMessage {
  const bytes = decodeText(text, 'base64');
  try {
    const message = VersionedMessage.deserialize(bytes);
    if (bytes.equals(encodeMessage(message))) return message;
  } catch {
    // Reported below.
  }
  throw invalidParams('failed to deserialize solana_message::versioned::VersionedMessage: io error');
}
