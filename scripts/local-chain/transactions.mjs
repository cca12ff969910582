/** Transactions as `getTransaction` shows them. */
import { VersionedTransaction } from '@solana/web3.js';
import bs58 from 'bs58';
import { CODES, invalidParams, RpcError } from './errors.mjs';
import { TOKEN_PROGRAMS, tokenAmount } from './token-accounts.mjs';

const SYSTEM_PROGRAM = '11111111111111111111111111111111';
const SYSTEM_TRANSFER = 2;
/** Instructions of the token programs. */
const TOKEN_TRANSFER = 3;
const TOKEN_MINT_TO = 7;
const TOKEN_TRANSFER_CHECKED = 12;

/** The commonest instructions in words; null for any other, and for one that is cut short. */
function parsedInstruction(programId, accounts, data) {
  if (programId === SYSTEM_PROGRAM && data.length >= 12 && data.readUInt32LE(0) === SYSTEM_TRANSFER) {
    const [source, destination] = accounts;
    return { type: 'transfer', info: { source, destination, lamports: Number(data.readBigUInt64LE(4)) } };
  }
  if (!TOKEN_PROGRAMS.has(programId) || data.length < 9) return null;
  const amount = data.readBigUInt64LE(1);
  switch (data[0]) {
    case TOKEN_TRANSFER: {
      const [source, destination, authority] = accounts;
      return { type: 'transfer', info: { source, destination, authority, amount: amount.toString() } };
    }
    case TOKEN_MINT_TO: {
      const [mint, account, mintAuthority] = accounts;
      return { type: 'mintTo', info: { mint, account, mintAuthority, amount: amount.toString() } };
    }
    case TOKEN_TRANSFER_CHECKED: {
      if (data.length < 10) return null;
      const [source, mint, destination, authority] = accounts;
      return {
        type: 'transferChecked',
        info: { source, mint, destination, authority, tokenAmount: tokenAmount(amount, data[9]) },
      };
    }
    default:
      return null;
  }
}

/** An instruction for `jsonParsed`. */
function inWords(keys, { programIdIndex, accounts, data, stackHeight }) {
  const programId = keys[programIdIndex];
  const named = accounts.map((index) => keys[index]);
  const parsed = parsedInstruction(programId, named, Buffer.from(bs58.decode(data)));
  if (!parsed) return { programId, accounts: named, data, stackHeight };
  return { program: TOKEN_PROGRAMS.get(programId) ?? 'system', programId, parsed, stackHeight };
}

/** The accounts with what they are, for `jsonParsed`. */
function describedKeys({ keys }, message) {
  const fixed = message.staticAccountKeys.length;
  return keys.map((pubkey, index) => ({
    pubkey,
    signer: index < message.header.numRequiredSignatures,
    writable: message.isAccountWritable(index),
    source: index < fixed ? 'transaction' : 'lookupTable',
  }));
}

function presentMessage(record, message, inParsedForm) {
  const instructions = message.compiledInstructions.map(({ programIdIndex, accountKeyIndexes, data }) => ({
    programIdIndex,
    accounts: [...accountKeyIndexes],
    data: bs58.encode(data),
    stackHeight: inParsedForm ? 1 : null,
  }));
  const { numReadonlySignedAccounts, numReadonlyUnsignedAccounts, numRequiredSignatures } = message.header;
  const lookups = message.addressTableLookups.map(({ accountKey, writableIndexes, readonlyIndexes }) => ({
    accountKey: accountKey.toBase58(),
    writableIndexes: [...writableIndexes],
    readonlyIndexes: [...readonlyIndexes],
  }));
  return {
    ...(inParsedForm
      ? {}
      : { header: { numReadonlySignedAccounts, numReadonlyUnsignedAccounts, numRequiredSignatures } }),
    accountKeys: inParsedForm ? describedKeys(record, message) : record.keys.slice(0, message.staticAccountKeys.length),
    recentBlockhash: message.recentBlockhash,
    instructions: inParsedForm ? instructions.map((instruction) => inWords(record.keys, instruction)) : instructions,
    ...(message.version === 0 ? { addressTableLookups: lookups } : {}),
  };
}

function presentMeta({ keys, meta }, inParsedForm) {
  if (!inParsedForm) return meta;
  const innerInstructions = meta.innerInstructions.map(({ index, instructions }) => ({
    index,
    instructions: instructions.map((instruction) => inWords(keys, instruction)),
  }));
  return { ...meta, innerInstructions };
}

/**
 * @param {import('./history.mjs').TransactionRecord} record
 * @param {string} encoding
 * @param {number | undefined} newestVersion the newest one the client reads; undefined: legacy ones only
 */
export function presentTransaction(record, encoding, newestVersion) {
  const { message, signatures, version } = VersionedTransaction.deserialize(Buffer.from(record.wire, 'base64'));
  if (version !== 'legacy' && !(newestVersion >= version)) {
    throw new RpcError(
      CODES.unsupportedVersion,
      `Transaction version (${version}) is not supported by the requesting client. Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": ${version}`,
    );
  }
  const around = {
    slot: record.slot,
    blockTime: record.blockTime,
    ...(newestVersion === undefined ? {} : { version }),
  };
  switch (encoding) {
    case 'base64':
      return { ...around, transaction: [record.wire, encoding], meta: record.meta };
    case 'base58':
      return { ...around, transaction: [bs58.encode(Buffer.from(record.wire, 'base64')), encoding], meta: record.meta };
    case 'json':
    case 'jsonParsed': {
      const inParsedForm = encoding === 'jsonParsed';
      return {
        ...around,
        transaction: {
          signatures: signatures.map((signature) => bs58.encode(signature)),
          message: presentMessage(record, message, inParsedForm),
        },
        meta: presentMeta(record, inParsedForm),
      };
    }
    default:
      throw invalidParams(`unsupported encoding: ${encoding}`);
  }
}
