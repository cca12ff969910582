/**
 * Links one object file of `clang -target bpf` into the executable that Solana's loader takes (sBPF version 3, SIMD-0178 and
 * SIMD-0189): a header, constants at address 0, and code whose calls are resolved. System calls are named by the hash of their name.
 */

const SECTION = { progbits: 1, symtab: 2, rel: 9 } as const;
const FLAG = { write: 1, alloc: 2, execute: 4 } as const;
/** Kind of a relocation of a call, the only one in a program that has no addresses of its constants. */
const CALL_RELOCATION = 10;
const SECTION_SYMBOL = 3;
const HEADER = 64;
const PROGRAM_HEADER = 56;
const SECTION_HEADER = 64;
const INSTRUCTION = 8;

/** Where the loader maps constants and code. */
const CONSTANTS_AT = 0n;
const CODE_AT = 1n << 32n;

interface Section {
  name: string;
  type: number;
  flags: number;
  offset: number;
  size: number;
  info: number;
  link: number;
}

interface Symbol {
  name: string;
  isSection: boolean;
  /** 0: defined elsewhere. */
  section: number;
  value: number;
}

const word = (bytes: Buffer, at: number): number => Number(bytes.readBigUInt64LE(at));

function textAt(bytes: Buffer, at: number): string {
  return bytes.toString('latin1', at, bytes.indexOf(0, at));
}

function readSections(object: Buffer): Section[] {
  const start = word(object, 40);
  const sections = Array.from({ length: object.readUInt16LE(60) }, (_, index) => {
    const at = start + index * SECTION_HEADER;
    return {
      nameAt: object.readUInt32LE(at),
      type: object.readUInt32LE(at + 4),
      flags: word(object, at + 8),
      offset: word(object, at + 24),
      size: word(object, at + 32),
      link: object.readUInt32LE(at + 40),
      info: object.readUInt32LE(at + 44),
    };
  });
  const names = sections[object.readUInt16LE(62)]?.offset ?? 0;
  return sections.map(({ nameAt, ...section }) => ({ ...section, name: textAt(object, names + nameAt) }));
}

function readSymbols(object: Buffer, sections: readonly Section[]): Symbol[] {
  const table = sections.find(({ type }) => type === SECTION.symtab);
  if (!table) throw new Error('no symbols');
  const names = sections[table.link]?.offset ?? 0;
  return Array.from({ length: table.size / 24 }, (_, index) => {
    const at = table.offset + index * 24;
    return {
      name: textAt(object, names + object.readUInt32LE(at)),
      isSection: object.readUInt8(at + 4) % 16 === SECTION_SYMBOL,
      section: object.readUInt16LE(at + 6),
      value: word(object, at + 8),
    };
  });
}

/** Returns the loader's hash of a system call: MurmurHash3 of its name, 32 bits, seed 0. */
function systemCallHash(name: string): number {
  const bytes = Buffer.from(name, 'latin1');
  const rotated = (value: number, by: number): number => (value << by) | (value >>> (32 - by));
  const mixed = (block: number): number => Math.imul(rotated(Math.imul(block, 0xcc9e2d51), 15), 0x1b873593);
  const blocks = Math.floor(bytes.length / 4);
  let hash = 0;
  for (let index = 0; index < blocks; index += 1) {
    hash = (Math.imul(rotated(hash ^ mixed(bytes.readUInt32LE(index * 4)), 13), 5) + 0xe6546b64) | 0;
  }
  const rest = bytes.length % 4;
  if (rest > 0) hash ^= mixed(bytes.readUIntLE(blocks * 4, rest));
  hash ^= bytes.length;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Returns the only section of the program with these flags. */
function partWith(sections: readonly Section[], flags: number): Section {
  const parts = sections.filter((one) => one.type === SECTION.progbits && one.flags === flags && one.size > 0);
  const [part] = parts;
  if (!part || parts.length > 1) throw new Error(`${parts.length} sections with the flags ${flags}`);
  return part;
}

const isLoaded = ({ flags, size }: Section): boolean => (flags & FLAG.alloc) > 0 && size > 0;

/** Returns the code with its calls resolved. */
function resolvedCode(object: Buffer, sections: readonly Section[], symbols: readonly Symbol[], code: Section): Buffer {
  const bytes = Buffer.from(object.subarray(code.offset, code.offset + code.size));
  for (const { type, offset, size, info } of sections) {
    if (type !== SECTION.rel || sections[info] !== code) continue;
    for (let place = offset; place < offset + size; place += 16) {
      const at = word(object, place);
      const kind = object.readUInt32LE(place + 8);
      const symbol = symbols[object.readUInt32LE(place + 12)];
      if (!symbol || kind !== CALL_RELOCATION) throw new Error(`unknown relocation ${kind} of ${symbol?.name}`);
      resolveCall(bytes, at, symbol);
    }
  }
  return bytes;
}

/** Resolves a call: of the program's own code relative to the next instruction, of the system by the hash of its name. */
function resolveCall(bytes: Buffer, at: number, symbol: Symbol): void {
  const isOwn = symbol.section !== 0;
  bytes.writeUInt8(isOwn ? 0x10 : 0, at + 1);
  if (!isOwn) {
    bytes.writeUInt32LE(systemCallHash(symbol.name), at + 4);
    return;
  }
  const addend = symbol.isSection ? (bytes.readInt32LE(at + 4) + 1) * INSTRUCTION : 0;
  bytes.writeInt32LE((symbol.value + addend - at) / INSTRUCTION - 1, at + 4);
}

/** Returns words of 8 bytes, in order. */
function words(values: readonly (number | bigint)[]): Buffer {
  const bytes = Buffer.alloc(values.length * 8);
  values.forEach((value, index) => {
    bytes.writeBigUInt64LE(BigInt(value), index * 8);
  });
  return bytes;
}

/** Returns a word of two halves, the lower one first. */
const pair = (low: number, high: number): bigint => (BigInt(high) << 32n) | BigInt(low);

/**
 * Returns the program that the loader takes. Throws on what it can't link: writable data, several sections of code or constants,
 * unknown relocations.
 */
export function link(object: Buffer): Buffer {
  const sections = readSections(object);
  const symbols = readSymbols(object, sections);
  const writable = sections.find((section) => isLoaded(section) && (section.flags & FLAG.write) > 0);
  if (writable) throw new Error(`writable data: ${writable.name}`);
  const code = partWith(sections, FLAG.alloc | FLAG.execute);
  const constants = partWith(sections, FLAG.alloc);
  const entry = symbols.find(({ name }) => name === 'entrypoint');
  if (!entry) throw new Error('no entrypoint');
  if (constants.size % INSTRUCTION > 0) throw new Error('constants are no whole words');
  const start = HEADER + 2 * PROGRAM_HEADER;
  return Buffer.concat([
    fileHeader(CODE_AT + BigInt(entry.value)),
    programHeader(4, start, CONSTANTS_AT, constants.size),
    programHeader(1, start + constants.size, CODE_AT, code.size),
    object.subarray(constants.offset, constants.offset + constants.size),
    resolvedCode(object, sections, symbols, code),
  ]);
}

function fileHeader(entry: bigint): Buffer {
  const [BPF, VERSION] = [247, 3];
  const bytes = Buffer.alloc(HEADER);
  Buffer.from('7f454c46020101', 'hex').copy(bytes);
  words([pair(3 | (BPF << 16), 1), entry, HEADER, 0]).copy(bytes, 16);
  bytes.writeUInt32LE(VERSION, 48);
  [HEADER, PROGRAM_HEADER, 2, SECTION_HEADER].forEach((value, index) => {
    bytes.writeUInt16LE(value, 52 + 2 * index);
  });
  return bytes;
}

/** Returns the header of a range of the file that is mapped. `rights`: 4 to read, 1 to execute. */
function programHeader(rights: number, offset: number, address: bigint, size: number): Buffer {
  return words([pair(1, rights), offset, address, address, size, size, 0]);
}
