/** Transactions in the form of `getTransaction`. */
import { type VersionedMessage, VersionedTransaction } from '@solana/web3.js';
import bs58 from 'bs58';
import { TOKEN_PROGRAMS, tokenAmount } from '../ledger/token-accounts.ts';
import type { CompiledInstruction, TransactionRecord } from '../storage/records.ts';
import { SYSTEM_PROGRAM } from './account-json.ts';
import { CODES, invalidParams, RpcError } from './errors.ts';

const SYSTEM_TRANSFER = 2;
/** Instructions of the token programs. */
const TOKEN_TRANSFER = 3;
const TOKEN_MINT_TO = 7;
const TOKEN_TRANSFER_CHECKED = 12;

/** Returns the parsed form of the most common instructions; null for any other, and for one that is cut short. */
function parsedInstruction(programId: string, accounts: readonly (string | undefined)[], data: Buffer) {
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
      const info = { source, mint, destination, authority, tokenAmount: tokenAmount(amount, data.readUInt8(9)) };
      return { type: 'transferChecked', info };
    }
    default:
      return null;
  }
}

/** Returns the `jsonParsed` form of an instruction. */
function presentParsed(keys: readonly string[], { programIdIndex, accounts, data, stackHeight }: CompiledInstruction) {
  const programId = keys[programIdIndex] ?? '';
  const named = accounts.map((index) => keys[index]);
  const parsed = parsedInstruction(programId, named, Buffer.from(bs58.decode(data)));
  if (!parsed) return { programId, accounts: named, data, stackHeight };
  return { program: TOKEN_PROGRAMS.get(programId) ?? 'system', programId, parsed, stackHeight };
}

function instructionsOf(message: VersionedMessage, stackHeight: number | null): CompiledInstruction[] {
  return message.compiledInstructions.map(({ programIdIndex, accountKeyIndexes, data }) => ({
    programIdIndex,
    accounts: [...accountKeyIndexes],
    data: bs58.encode(data),
    stackHeight,
  }));
}

/** Returns what only messages of one version have: lookups in tables (0), or the budget (1). */
const versionedParts = (message: VersionedMessage) => {
  if (message.version === 1) return { transactionConfig: message.transactionConfig };
  if (message.version !== 0) return {};
  const addressTableLookups = message.addressTableLookups.map(({ accountKey, writableIndexes, readonlyIndexes }) => ({
    accountKey: accountKey.toBase58(),
    writableIndexes: [...writableIndexes],
    readonlyIndexes: [...readonlyIndexes],
  }));
  return { addressTableLookups };
};

function presentMessage(record: TransactionRecord, message: VersionedMessage) {
  const { numReadonlySignedAccounts, numReadonlyUnsignedAccounts, numRequiredSignatures } = message.header;
  return {
    header: { numReadonlySignedAccounts, numReadonlyUnsignedAccounts, numRequiredSignatures },
    accountKeys: record.keys.slice(0, message.staticAccountKeys.length),
    recentBlockhash: message.recentBlockhash,
    instructions: instructionsOf(message, null),
    ...versionedParts(message),
  };
}

function presentParsedMessage({ keys }: TransactionRecord, message: VersionedMessage) {
  const named = message.staticAccountKeys.length;
  return {
    accountKeys: keys.map((pubkey, index) => ({
      pubkey,
      signer: index < message.header.numRequiredSignatures,
      writable: message.isAccountWritable(index),
      source: index < named ? 'transaction' : 'lookupTable',
    })),
    recentBlockhash: message.recentBlockhash,
    instructions: instructionsOf(message, 1).map((instruction) => presentParsed(keys, instruction)),
    ...versionedParts(message),
  };
}

function presentParsedMeta({ keys, meta }: TransactionRecord) {
  const innerInstructions = meta.innerInstructions.map(({ index, instructions }) => ({
    index,
    instructions: instructions.map((instruction) => presentParsed(keys, instruction)),
  }));
  return { ...meta, innerInstructions };
}

/**
 * Returns the JSON form of a transaction. `newestVersion` is the newest one that the client reads; undefined: legacy
 * transactions only.
 */
export function presentTransaction(record: TransactionRecord, encoding: unknown, newestVersion: number | undefined) {
  const { message, signatures, version } = VersionedTransaction.deserialize(Buffer.from(record.wire, 'base64'));
  if (version !== 'legacy' && (newestVersion === undefined || newestVersion < version)) {
    throw new RpcError(
      CODES.unsupportedVersion,
      `Transaction version (${version}) is not supported by the requesting client. Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": ${version}`,
    );
  }
  const { slot, blockTime, wire, meta } = record;
  const common = { slot, blockTime, ...(newestVersion === undefined ? {} : { version }) };
  const signatureTexts = signatures.map((signature) => bs58.encode(signature));
  switch (encoding) {
    case 'base64':
      return { ...common, transaction: [wire, encoding], meta };
    case 'base58':
      return { ...common, transaction: [bs58.encode(Buffer.from(wire, 'base64')), encoding], meta };
    case 'json':
      return { ...common, transaction: { signatures: signatureTexts, message: presentMessage(record, message) }, meta };
    case 'jsonParsed': {
      const transaction = { signatures: signatureTexts, message: presentParsedMessage(record, message) };
      return { ...common, transaction, meta: presentParsedMeta(record) };
    }
    default:
      throw invalidParams(`unsupported encoding: ${String(encoding)}`);
  }
}
