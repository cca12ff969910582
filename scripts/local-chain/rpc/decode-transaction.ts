/**
 * Decodes transactions. The engine ABORTS the whole process on bytes it can't read, so it only receives bytes that a
 * well-formed transaction serializes to.
 */
import { VersionedMessage, VersionedTransaction } from '@solana/web3.js';
import bs58 from 'bs58';
import type { CheckedTransaction } from '../ledger/ledger.ts';
import { invalidParams } from './errors.ts';

/** The payload of one network packet. */
const LONGEST_TRANSACTION = 1232;
/** The same in each encoding. Checked before decoding: base58 takes time by the square of the length. */
const LONGEST_TEXT = new Map([
  ['base58', 1683],
  ['base64', 1644],
]);
const TYPE = 'solana_transaction::versioned::VersionedTransaction';

function decodeText(text: unknown, encoding: unknown): Buffer {
  if (typeof text !== 'string') throw invalidParams('invalid type: expected a string');
  const longest = LONGEST_TEXT.get(String(encoding));
  if (longest === undefined) {
    throw invalidParams(`unsupported encoding: ${String(encoding)}. Supported encodings: base58, base64`);
  }
  if (text.length > longest) {
    const limits = `max: encoded/raw ${longest}/${LONGEST_TRANSACTION}`;
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

/** Decodes a transaction in `base58` or `base64`. Throws an `RpcError` unless it is whole, canonical and sane. */
export function decodeTransaction(text: unknown, encoding: unknown): CheckedTransaction {
  const bytes = decodeText(text, encoding);
  if (bytes.length > LONGEST_TRANSACTION) {
    throw invalidParams(`decoded ${TYPE} too large: ${bytes.length} bytes (max: ${LONGEST_TRANSACTION} bytes)`);
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
    if (bytes.equals(transaction.serialize())) return transaction;
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
    if (bytes.equals(message.serialize())) return message;
  } catch {
    // Reported below.
  }
  throw invalidParams('failed to deserialize solana_message::versioned::VersionedMessage: io error');
}
