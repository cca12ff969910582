/**
 * Transactions as they come over the wire. The engine ABORTS the whole process on bytes it cannot read, so nothing
 * reaches it that is not exactly what a well-formed transaction serialises to.
 */
import { VersionedMessage, VersionedTransaction } from '@solana/web3.js';
import bs58 from 'bs58';
import { invalidParams } from './errors.mjs';

/** The payload of one network packet. */
export const LONGEST_TRANSACTION = 1232;
/** What that makes in each encoding. Checked before decoding: base58 takes time by the square of the length. */
const LONGEST_TEXT = { base58: 1683, base64: 1644 };
const TYPE = 'solana_transaction::versioned::VersionedTransaction';

/**
 * @typedef {object} WireTransaction
 * @property {Buffer} bytes
 * @property {import('@solana/web3.js').VersionedMessage} message
 * @property {string} signature the first, which names the transaction
 */

function decodeText(text, encoding) {
  if (typeof text !== 'string') throw invalidParams('invalid type: expected a string');
  const longest = Object.hasOwn(LONGEST_TEXT, encoding) ? LONGEST_TEXT[encoding] : undefined;
  if (longest === undefined)
    throw invalidParams(`unsupported encoding: ${encoding}. Supported encodings: base58, base64`);
  if (text.length > longest) {
    const limits = `max: encoded/raw ${longest}/${LONGEST_TRANSACTION}`;
    throw invalidParams(`${encoding} encoded ${TYPE} too large: ${text.length} bytes (${limits})`);
  }
  try {
    const bytes = Buffer.from(encoding === 'base58' ? bs58.decode(text) : Buffer.from(text, 'base64'));
    if (encoding === 'base64' && bytes.toString('base64') !== text) throw new Error('not canonical');
    return bytes;
  } catch {
    throw invalidParams(`invalid ${encoding} encoding`);
  }
}

/** Every index points at something, as a validator checks before it looks any further. */
function isSane(message, signatures) {
  const { numRequiredSignatures, numReadonlySignedAccounts, numReadonlyUnsignedAccounts } = message.header;
  const fixed = message.staticAccountKeys.length;
  const looked = message.addressTableLookups.map(
    (table) => table.writableIndexes.length + table.readonlyIndexes.length,
  );
  const all = looked.reduce((sum, count) => sum + count, fixed);
  return (
    signatures.length === numRequiredSignatures &&
    numReadonlySignedAccounts < numRequiredSignatures &&
    numRequiredSignatures + numReadonlyUnsignedAccounts <= fixed &&
    all <= 256 &&
    !looked.includes(0) &&
    message.compiledInstructions.every(
      ({ programIdIndex, accountKeyIndexes }) =>
        programIdIndex > 0 && programIdIndex < fixed && accountKeyIndexes.every((index) => index < all),
    )
  );
}

/**
 * Throws an RpcError for anything but a whole, canonical and sane transaction.
 * @param {unknown} text
 * @param {unknown} encoding `base58` or `base64`
 * @returns {WireTransaction}
 */
export function decodeTransaction(text, encoding) {
  const bytes = decodeText(text, encoding);
  if (bytes.length > LONGEST_TRANSACTION) {
    throw invalidParams(`decoded ${TYPE} too large: ${bytes.length} bytes (max: ${LONGEST_TRANSACTION} bytes)`);
  }
  return readTransaction(bytes);
}

/**
 * @param {Uint8Array} raw
 * @returns {WireTransaction}
 */
export function readTransaction(raw) {
  const bytes = Buffer.from(raw);
  let transaction;
  try {
    transaction = VersionedTransaction.deserialize(bytes);
    if (!bytes.equals(transaction.serialize())) throw new Error('not canonical');
  } catch {
    throw invalidParams(`failed to deserialize ${TYPE}: io error`);
  }
  const { message, signatures } = transaction;
  if (!isSane(message, signatures)) {
    throw invalidParams('invalid transaction: Transaction failed to sanitize accounts offsets correctly');
  }
  return { bytes, message, signature: bs58.encode(signatures[0]) };
}

/**
 * @param {unknown} text base64
 * @returns {import('@solana/web3.js').VersionedMessage}
 */
export function decodeMessage(text) {
  const bytes = decodeText(text, 'base64');
  try {
    const message = VersionedMessage.deserialize(bytes);
    if (!bytes.equals(message.serialize())) throw new Error('not canonical');
    return message;
  } catch {
    throw invalidParams('failed to deserialize solana_message::versioned::VersionedMessage: io error');
  }
}
