/**
 * Links one object file of `clang -target bpf` into the shared object that Solana's loader takes (sBPF v0): code and constants
 * at their addresses, calls resolved, system calls left to the loader by name.
 */

const SECTION = { progbits: 1, symtab: 2, strtab: 3, rel: 9, dynsym: 11 } as const;
const FLAG = { write: 1, alloc: 2, execute: 4 } as const;
/** Relocations of an address in an instruction pair, of a base address, and of a call. */
const RELOCATION = { address: 1, relative: 8, call: 10 } as const;
const SECTION_SYMBOL = 3;
const HEADER = 64;
const PROGRAM_HEADER = 56;
const SECTION_HEADER = 64;
const INSTRUCTION = 8;

interface Section {
  name: string;
  type: number;
  flags: number;
  offset: number;
  size: number;
  info: number;
  link: number;
  /** Its offset in the result; null when it is left out. */
  address: number | null;
}

interface Symbol {
  name: string;
  isSection: boolean;
  section: number;
  value: number;
}

const align = (value: number, to: number): number => Math.ceil(value / to) * to;
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
  return sections.map(({ nameAt, ...section }) => ({
    ...section,
    name: textAt(object, names + nameAt),
    address: null,
  }));
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

/** Gives the sections of the program their addresses, code first, and returns the bytes up to the end of the constants. */
function place(object: Buffer, sections: Section[]): { image: Buffer; code: Range; constants: Range } {
  const isPart = ({ type, flags, size }: Section) => type === SECTION.progbits && (flags & FLAG.alloc) > 0 && size > 0;
  const parts = sections.filter(isPart);
  const writable = parts.find(({ flags }) => (flags & FLAG.write) > 0);
  if (writable) throw new Error(`writable data: ${writable.name}`);
  let end = HEADER + 3 * PROGRAM_HEADER;
  const lay = (list: Section[]): Range => {
    const at = align(end, 16);
    for (const section of list) {
      section.address = align(end, 16);
      end = section.address + section.size;
    }
    return { at, size: Math.max(end - at, 0) };
  };
  const isCode = ({ flags }: Section) => (flags & FLAG.execute) > 0;
  const code = lay(parts.filter(isCode));
  const constants = lay(parts.filter((section) => !isCode(section)));
  const image = Buffer.alloc(end);
  for (const { address, offset, size } of parts) object.copy(image, address ?? 0, offset, offset + size);
  return { image, code, constants };
}

interface Range {
  at: number;
  size: number;
}

/** A relocation that the loader has to apply; `symbol` is the place of a system call's name among the names, or 0. */
interface Relocation {
  at: number;
  type: number;
  symbol: number;
}

/** Relocations that the loader applies, the names of the system calls, and the address of the entry point. */
interface Resolved {
  left: Relocation[];
  calls: string[];
  entry: number;
}

/** Resolves calls and addresses in the image. */
function relocate(object: Buffer, image: Buffer, sections: readonly Section[]): Resolved {
  const symbols = readSymbols(object, sections);
  const calls: string[] = [];
  const addressOf = (symbol: Symbol): number => {
    const address = sections[symbol.section]?.address;
    if (address == null) throw new Error(`unknown symbol ${symbol.name}`);
    return address + symbol.value;
  };

  function relocateAddress(at: number, symbol: Symbol): Relocation[] {
    image.writeInt32LE(addressOf(symbol) + image.readInt32LE(at + 4), at + 4);
    image.writeInt32LE(0, at + 4 + INSTRUCTION);
    return [{ at, type: RELOCATION.relative, symbol: 0 }];
  }

  function relocateCall(at: number, symbol: Symbol): Relocation[] {
    image.writeUInt8(0x10, at + 1); // a call relative to the next instruction
    if (symbol.section !== 0) {
      const addend = symbol.isSection ? (image.readInt32LE(at + 4) + 1) * INSTRUCTION : 0;
      image.writeInt32LE((addressOf(symbol) + addend - at) / INSTRUCTION - 1, at + 4);
      return [];
    }
    if (!calls.includes(symbol.name)) calls.push(symbol.name);
    image.writeInt32LE(-1, at + 4);
    return [{ at, type: RELOCATION.call, symbol: calls.indexOf(symbol.name) + 1 }];
  }

  const left = sections.flatMap(({ type, offset, size, info }) => {
    const target = sections[info]?.address;
    if (type !== SECTION.rel || target == null) return [];
    return Array.from({ length: size / 16 }, (_, index) => offset + index * 16).flatMap((place) => {
      const at = target + word(object, place);
      const kind = object.readUInt32LE(place + 8);
      const symbol = symbols[object.readUInt32LE(place + 12)];
      if (symbol && kind === RELOCATION.address) return relocateAddress(at, symbol);
      if (symbol && kind === RELOCATION.call) return relocateCall(at, symbol);
      throw new Error(`unknown relocation ${kind} of ${symbol?.name}`);
    });
  });
  const entry = symbols.find(({ name }) => name === 'entrypoint');
  if (!entry) throw new Error('no entrypoint');
  return { left, calls, entry: addressOf(entry) };
}

/** Collects parts of a file at aligned places. */
function createFile(start: Buffer) {
  const parts = [start];
  let size = start.length;
  return {
    add(bytes: Buffer): Range {
      const at = align(size, 8);
      parts.push(Buffer.alloc(at - size), bytes);
      size = at + bytes.length;
      return { at, size: bytes.length };
    },
    bytes: (): Buffer => Buffer.concat(parts),
  };
}

/** Joins texts with a zero after each one, and returns where each begins. */
function textTable(texts: readonly string[]): { bytes: Buffer; places: number[] } {
  const bytes = Buffer.from(texts.map((text) => `${text}\0`).join(''), 'latin1');
  const places = texts.map((_, index) => texts.slice(0, index).reduce((sum, text) => sum + text.length + 1, 0));
  return { bytes, places };
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

/** Returns the program that the loader takes. Throws on what it can't link: writable data, unknown symbols or relocations. */
export function link(object: Buffer): Buffer {
  const sections = readSections(object);
  const { image, code, constants } = place(object, sections);
  const { left, calls, entry } = relocate(object, image, sections);
  const file = createFile(image);
  // One table names the system calls and the sections.
  const titles = ['.text', '.rodata', '.dynsym', '.dynstr'];
  const names = textTable(['', ...calls, ...titles]);
  const globalSymbol = 0x10;
  const symbolNames = names.places.slice(0, calls.length + 1);
  const symbols = file.add(words(symbolNames.flatMap((at, index) => [pair(at, index && globalSymbol), 0, 0])));
  const strings = file.add(names.bytes);
  const relocations = file.add(words(left.flatMap(({ at, type, symbol }) => [at, pair(type, symbol)])));
  // Tags of the dynamic section, each with its value; 0 ends it.
  const tags = [17, relocations.at, 18, relocations.size, 19, 16, 6, symbols.at, 0, 0];
  const dynamic = file.add(words(tags));
  const { alloc, execute } = FLAG;
  const { progbits, dynsym, strtab } = SECTION;
  const table: [type: number, flags: number, range: Range, link: number, info: number, entrySize: number][] = [
    [0, 0, { at: 0, size: 0 }, 0, 0, 0],
    [progbits, alloc | execute, code, 0, 0, 0],
    [progbits, alloc, constants, 0, 0, 0],
    [dynsym, alloc, symbols, 4, 1, 24],
    [strtab, alloc, strings, 0, 0, 0],
  ];
  const headers = file.add(
    words(
      table.flatMap(([type, flags, { at, size }, linked, info, entrySize], index) => [
        pair(names.places[calls.length + index] ?? 0, type),
        flags,
        flags & alloc ? at : 0,
        at,
        size,
        pair(linked, info),
        type === 0 ? 0 : 8,
        entrySize,
      ]),
    ),
  );
  const bytes = file.bytes();
  // The loader finds the relocations through the range that is mapped with the constants.
  const rest = { at: constants.at, size: relocations.at + relocations.size - constants.at };
  writeHeaders(bytes, { entry, headers: headers.at, count: table.length, loaded: [code, rest, dynamic] });
  return bytes;
}

interface Layout {
  entry: number;
  headers: number;
  count: number;
  /** The ranges that the loader maps: code, constants, and the dynamic section. */
  loaded: readonly [Range, Range, Range];
}

function writeHeaders(file: Buffer, { entry, headers, count, loaded }: Layout): void {
  const BPF = 247;
  Buffer.from('7f454c46020101', 'hex').copy(file);
  words([pair(3 | (BPF << 16), 1), entry, HEADER, headers]).copy(file, 16);
  [HEADER, PROGRAM_HEADER, loaded.length, SECTION_HEADER, count, count - 1].forEach((value, index) => {
    file.writeUInt16LE(value, 52 + 2 * index);
  });
  // Kind (1: load, 2: dynamic) and rights (4: read, 2: write, 1: execute) of each range.
  const kinds = [pair(1, 5), pair(1, 4), pair(2, 6)];
  loaded.forEach(({ at, size }, index) => {
    const header = words([kinds[index] ?? 0, at, at, at, size, size, 4096]);
    header.copy(file, HEADER + index * PROGRAM_HEADER);
  });
}
