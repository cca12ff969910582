/**
 * Makes the published engine, which is linked against glibc 2.38, load on glibc 2.36 and 2.37 (Debian 12).
 *
 * The engine needs only two things of 2.38: the C23 names of strtol and its relatives, and a faster fmod. Each keeps its
 * contract under its older name. A copy of the ELF files is therefore changed in two places: version needs of GLIBC_2.38
 * become the architecture's oldest version, and imports lose their `__isoc23_` prefix. The short name is a suffix of the
 * long one, so no string is added or moved.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { failureCode } from '../steps/start-error.mjs';

const ELF_MAGIC = 0x7f454c46;
const CLASS_64_BIT = 2;
const LITTLE_ENDIAN = 1;

const SECTION_DYNAMIC_SYMBOLS = 11;
const SECTION_VERSION_NEEDS = 0x6ffffffe;
const SECTION_SYMBOL_VERSIONS = 0x6fffffff;
const SYMBOL_BYTES = 24;
const VERSION_INDEX_MASK = 0x7fff;

const RETIRED_VERSION = 'GLIBC_2.38';
const NEWEST_KEPT_MINOR = 36;
/** The first GLIBC version of each architecture, x64 then arm64. It has every symbol below. */
const BASELINE_VERSIONS = ['GLIBC_2.2.5', 'GLIBC_2.17'];
const C23_PREFIX = '__isoc23_';
const SAME_UNDER_OLD_NAME = new Set(['strtol', 'strtoul', 'strtoll', 'strtoull', 'sscanf', 'fscanf', 'fmod']);

/** Returns the dynamic linker's hash for comparing version names (System V ABI, "Hash Table"). */
function elfHash(name: string): number {
  let hash = 0;
  for (const byte of Buffer.from(name, 'latin1')) {
    hash = ((hash << 4) + byte) >>> 0;
    const high = hash & 0xf0000000;
    if (high !== 0) hash ^= high >>> 24;
    hash = (hash & ~high) >>> 0;
  }
  return hash;
}

interface Section {
  type: number;
  offset: number;
  size: number;
  link: number;
  info: number;
}

interface Layout {
  symbols: Section;
  versionNeeds: Section;
  symbolVersions: Section;
  /** Reads a dynamic string. */
  text: (offset: number) => string;
}

interface NeededVersion {
  /** Offset of the entry in the file. */
  at: number;
  name: string;
  index: number;
}

/** Returns the sections of a 64-bit little-endian ELF file, and a reader for its dynamic strings. */
function readLayout(elf: Buffer): Layout {
  const known =
    elf.length > 64 && elf.readUInt32BE(0) === ELF_MAGIC && elf[4] === CLASS_64_BIT && elf[5] === LITTLE_ENDIAN;
  if (!known) throw new Error('not a 64-bit little-endian ELF file');
  const tableOffset = Number(elf.readBigUInt64LE(0x28));
  const entryBytes = elf.readUInt16LE(0x3a);
  const sections = Array.from({ length: elf.readUInt16LE(0x3c) }, (_, index): Section => {
    const at = tableOffset + index * entryBytes;
    return {
      type: elf.readUInt32LE(at + 4),
      offset: Number(elf.readBigUInt64LE(at + 24)),
      size: Number(elf.readBigUInt64LE(at + 32)),
      link: elf.readUInt32LE(at + 40),
      info: elf.readUInt32LE(at + 44),
    };
  });
  const find = (type: number): Section => {
    const section = sections.find((candidate) => candidate.type === type);
    if (!section) throw new Error(`no section of type 0x${type.toString(16)} in the ELF file`);
    return section;
  };
  const symbols = find(SECTION_DYNAMIC_SYMBOLS);
  const stringsAt = sections[symbols.link]?.offset;
  if (stringsAt === undefined) throw new Error('no string table in the ELF file');
  return {
    symbols,
    versionNeeds: find(SECTION_VERSION_NEEDS),
    symbolVersions: find(SECTION_SYMBOL_VERSIONS),
    text: (offset) => elf.toString('latin1', stringsAt + offset, elf.indexOf(0, stringsAt + offset)),
  };
}

/** Yields for each library the versions that the file needs (Verneed with its chain of Vernaux). */
function* neededVersions(elf: Buffer, { versionNeeds, text }: Layout): Generator<NeededVersion[]> {
  let library = versionNeeds.offset;
  for (let n = 0; n < versionNeeds.info; n++) {
    const versions: NeededVersion[] = [];
    let entry = library + elf.readUInt32LE(library + 8);
    for (let k = 0; k < elf.readUInt16LE(library + 2); k++) {
      versions.push({ at: entry, name: text(elf.readUInt32LE(entry + 8)), index: elf.readUInt16LE(entry + 6) });
      entry += elf.readUInt32LE(entry + 12);
    }
    yield versions;
    library += elf.readUInt32LE(library + 12);
  }
}

/** Points every need of GLIBC_2.38 at the oldest version. Returns the changed version indexes. */
function retireVersion(elf: Buffer, layout: Layout): Set<number> {
  const retired = new Set<number>();
  for (const versions of neededVersions(elf, layout)) {
    const tooNew = versions.find(({ name }) => {
      const minor = /^GLIBC_2\.(\d+)$/.exec(name)?.[1];
      return minor !== undefined && Number(minor) > NEWEST_KEPT_MINOR && name !== RETIRED_VERSION;
    });
    if (tooNew) throw new Error(`needs ${tooNew.name}`);
    const modern = versions.find(({ name }) => name === RETIRED_VERSION);
    if (!modern) continue;
    const baseline = BASELINE_VERSIONS.flatMap((name) => versions.filter((version) => version.name === name))[0];
    if (!baseline) throw new Error(`needs ${RETIRED_VERSION} and none of ${BASELINE_VERSIONS.join(', ')}`);
    elf.copy(elf, modern.at + 8, baseline.at + 8, baseline.at + 12); // the version's name …
    elf.writeUInt32LE(elfHash(baseline.name), modern.at); // … and its hash
    retired.add(modern.index);
  }
  return retired;
}

/** Rewrites `elf` in place and returns it. Throws when the file needs anything else of a newer glibc. */
export function lowerGlibcFloor(elf: Buffer): Buffer {
  const layout = readLayout(elf);
  const retired = retireVersion(elf, layout);
  for (let i = 0; i < layout.symbols.size / SYMBOL_BYTES; i++) {
    const version = elf.readUInt16LE(layout.symbolVersions.offset + 2 * i) & VERSION_INDEX_MASK;
    if (!retired.has(version)) continue;
    const at = layout.symbols.offset + SYMBOL_BYTES * i;
    const name = layout.text(elf.readUInt32LE(at));
    const oldName = name.startsWith(C23_PREFIX) ? name.slice(C23_PREFIX.length) : name;
    if (!SAME_UNDER_OLD_NAME.has(oldName)) throw new Error(`needs ${name}@${RETIRED_VERSION}`);
    if (oldName !== name) elf.writeUInt32LE(elf.readUInt32LE(at) + C23_PREFIX.length, at);
  }
  return elf;
}

/** A directory that can't be written is skipped; any other failure is thrown. */
const NOT_WRITABLE = ['EACCES', 'EROFS', 'EPERM'];

/** Makes patched copies of `files` once, in the first of `directories` that has them or can be written. Returns it. */
export function patchedCopies(files: readonly string[], directories: readonly string[]): string {
  const existing = directories.find((directory) => existsSync(directory));
  if (existing !== undefined) return existing;
  for (const directory of directories) {
    const partial = `${directory}.${process.pid}`;
    try {
      mkdirSync(partial, { recursive: true });
      for (const file of files) {
        writeFileSync(path.join(partial, path.basename(file)), lowerGlibcFloor(readFileSync(file)));
      }
      renameSync(partial, directory); // atomic: two starts may race, or one may be killed here
      return directory;
    } catch (error) {
      rmSync(partial, { recursive: true, force: true });
      if (existsSync(directory)) return directory; // another process was first
      if (!NOT_WRITABLE.includes(failureCode(error)) || directory === directories.at(-1)) throw error;
    }
  }
  throw new Error('no directory was given for the patched copies');
}
