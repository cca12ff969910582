import bs58 from 'bs58';
import {
  type Field,
  type FieldTypes,
  type Layout,
  type PumpEvent,
  type PumpEventName,
  pumpEvents,
} from './event-layouts.ts';

/** Why bytes are not an event of ours. `unknown` is no fault: the program prints events that we have no use for. */
export type DecodeFault = 'unknown' | 'truncated' | 'malformed';
export type Decoded = { ok: true; event: PumpEvent } | { ok: false; fault: DecodeFault };

const discriminatorLength = 8;
const pubkeyLength = 32;
/** The longest string pump.fun takes is a 200-byte uri; a longer claim means that these are not the bytes we think. */
const maxStringLength = 1_024;
/** More would not fit into the 10,000 bytes of logs that a transaction may print. */
const maxShareholders = 256;

const names = Object.keys(pumpEvents) as PumpEventName[]; // Object.keys forgets the literal keys of a constant
const nameByDiscriminator = new Map(names.map((name) => [pumpEvents[name].discriminator as string, name]));

/** Decodes the bytes of one event. Never throws; bytes behind the last known field are a newer program's and ignored. */
export function decodeEvent(bytes: Buffer): Decoded {
  const name = nameByDiscriminator.get(bytes.toString('hex', 0, discriminatorLength));
  if (name === undefined) return { ok: false, fault: 'unknown' };
  const fields = readLayout(pumpEvents[name], bytes.subarray(discriminatorLength));
  if (typeof fields === 'string') return { ok: false, fault: fields };
  // The layout that `name` chose made these fields, which the compiler cannot follow through a table.
  return { ok: true, event: { name, fields } as unknown as PumpEvent };
}

/** Decodes the base64 text of a `Program data:` line. */
export function decodeText(text: string): Decoded {
  return decodeEvent(Buffer.from(text, 'base64'));
}

function readLayout(layout: Layout, bytes: Buffer): Record<string, unknown> | DecodeFault {
  const reader = new Reader(bytes);
  const fields: Record<string, unknown> = {};
  for (const field of layout.required) readField(reader, field, fields);
  for (const field of layout.appended) {
    // An older program ends its events here. Ending inside a field is something else: the rest got lost.
    if (reader.atEnd()) break;
    readField(reader, field, fields);
  }
  return reader.fault ?? fields;
}

function readField(reader: Reader, [name, type]: Field, into: Record<string, unknown>): void {
  into[name] = reader[type]();
}

/** Reads one value after another; after the first fault it only returns empty values, and `fault` says what happened. */
class Reader implements Readers {
  fault: DecodeFault | undefined;
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  atEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  pubkey(): string {
    return bs58.encode(this.#take(pubkeyLength));
  }

  u64(): bigint {
    return this.#take(8).readBigUInt64LE();
  }

  i64(): bigint {
    return this.#take(8).readBigInt64LE();
  }

  bool(): boolean {
    const byte = this.#take(1).readUInt8();
    if (byte > 1) this.fault ??= 'malformed';
    return byte === 1;
  }

  string(): string {
    const length = this.#take(4).readUInt32LE();
    if (length > maxStringLength) {
      this.fault ??= 'malformed';
      return '';
    }
    return this.#text(this.#take(length));
  }

  shareholders(): FieldTypes['shareholders'] {
    const count = this.#take(4).readUInt32LE();
    if (count > maxShareholders) {
      this.fault ??= 'malformed';
      return [];
    }
    return Array.from({ length: count }, () => ({
      address: this.pubkey(),
      share_bps: this.#take(2).readUInt16LE(),
    }));
  }

  #text(bytes: Buffer): string {
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
      // The program writes UTF-8 only, so these are not the bytes of a text.
      this.fault ??= 'malformed';
      return '';
    }
  }

  #take(length: number): Buffer {
    const end = this.#at + length;
    if (this.fault !== undefined || end > this.#bytes.length) {
      this.fault ??= 'truncated';
      return Buffer.alloc(length);
    }
    const taken = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }
}

/** One reading method for every type of field. */
type Readers = { [Type in keyof FieldTypes]: () => FieldTypes[Type] };
