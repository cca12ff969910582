/** Bytes of messages: web3.js reads messages of version 1, and does not write them. */
import type { MessageV1, VersionedMessage, VersionedTransaction } from '@solana/web3.js';
import bs58 from 'bs58';

/** First byte of a message of version 1, and of its transaction. */
export const PREFIX_V1 = 0x81;
/** Bits of the config mask that name each value, in the order of the values. */
const CONFIG_BITS = {
  priorityFee: 0b11,
  computeUnitLimit: 0b100,
  loadedAccountsDataSizeLimit: 0b1000,
  heapSize: 0b1_0000,
};

/** Returns the bytes of a message of any version. */
export function encodeMessage(message: VersionedMessage): Buffer {
  return message.version === 1 ? encodeV1(message) : Buffer.from(message.serialize());
}

/** Returns the bytes of a transaction of any version; in version 1 the signatures stand at the end. */
export function encodeTransaction(transaction: VersionedTransaction): Buffer {
  const { message, signatures } = transaction;
  if (message.version !== 1) return Buffer.from(transaction.serialize());
  return Buffer.concat([encodeV1(message), ...signatures]);
}

/** Encodes a message of version 1 (SIMD-0385): header, config mask, blockhash, counts, accounts, config, instructions. */
function encodeV1({ header, transactionConfig: config, ...message }: MessageV1): Buffer {
  const { numRequiredSignatures, numReadonlySignedAccounts, numReadonlyUnsignedAccounts } = header;
  const { computeUnitLimit, loadedAccountsDataSizeLimit, heapSize, priorityFee } = config;
  const bits = (value: number | null, mask: number) => (value === null ? 0 : mask);
  const mask =
    bits(priorityFee, CONFIG_BITS.priorityFee) |
    bits(computeUnitLimit, CONFIG_BITS.computeUnitLimit) |
    bits(loadedAccountsDataSizeLimit, CONFIG_BITS.loadedAccountsDataSizeLimit) |
    bits(heapSize, CONFIG_BITS.heapSize);
  const values = [computeUnitLimit, loadedAccountsDataSizeLimit, heapSize].filter((value) => value !== null);
  const instructions = message.compiledInstructions;
  return Buffer.concat([
    Buffer.from([PREFIX_V1, numRequiredSignatures, numReadonlySignedAccounts, numReadonlyUnsignedAccounts]),
    u32(mask),
    bs58.decode(message.recentBlockhash),
    Buffer.from([instructions.length, message.staticAccountKeys.length]),
    ...message.staticAccountKeys.map((key) => key.toBytes()),
    priorityFee === null ? Buffer.alloc(0) : u64(priorityFee),
    ...values.map(u32),
    ...instructions.map(({ programIdIndex, accountKeyIndexes, data }) =>
      Buffer.from([programIdIndex, accountKeyIndexes.length, data.length & 0xff, data.length >> 8]),
    ),
    ...instructions.flatMap(({ accountKeyIndexes, data }) => [Buffer.from(accountKeyIndexes), data]),
  ]);
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}
