import bs58 from 'bs58';
import type { EventOf, Fields, FieldType, Layout, Layouts, ScalarTypes } from './layout.ts';

/** Why bytes are not a known event. `unknown` is not an error: programs emit other events too. */
export type DecodeFault = 'unknown' | 'truncated' | 'malformed';
export type Decoded<Event> = { ok: true; event: Event } | { ok: false; fault: DecodeFault };

const discriminatorLength = 8;
const pubkeyLength = 32;
/** The longest string of the launchpads is a 200-byte uri; a longer one means that the bytes are not this event. */
const maxStringLength = 1_024;
/** More would not fit into the 10,000 bytes of a transaction's logs. */
const maxListLength = 256;

/**
 * Returns the decoder of a program's layouts. It never throws, and ignores bytes after the last known field, which come from
 * a newer program.
 */
export function createDecoder<Table extends Layouts>(layouts: Table): (bytes: Buffer) => Decoded<EventOf<Table>> {
  const byDiscriminator = new Map(
    Object.entries(layouts).map(([name, layout]) => [layout.discriminator, { name, layout }]),
  );
  return (bytes) => {
    const found = byDiscriminator.get(bytes.toString('hex', 0, discriminatorLength));
    if (found === undefined) return { ok: false, fault: 'unknown' };
    const fields = readLayout(found.layout, bytes.subarray(discriminatorLength));
    if (typeof fields === 'string') return { ok: false, fault: fields };
    // The fields have the layout of `name`, which the compiler cannot follow through the table.
    return { ok: true, event: { name: found.name, fields } as unknown as EventOf<Table> };
  };
}

function readLayout(layout: Layout, bytes: Buffer): Record<string, unknown> | DecodeFault {
  const reader = createReader(bytes);
  const fields = readFields(reader, layout.required);
  for (const [name, type] of Object.entries(layout.appended ?? {})) {
    // Events of an older program end between two fields. An end within a field is a truncation.
    if (reader.atEnd()) break;
    fields[name] = readValue(reader, type);
  }
  return reader.fault() ?? fields;
}

function readFields(reader: Reader, fields: Fields): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, type] of Object.entries(fields)) values[name] = readValue(reader, type);
  return values;
}

function readValue(reader: Reader, type: FieldType): unknown {
  if (typeof type === 'string') return reader[type]();
  if ('struct' in type) return readFields(reader, type.struct);
  if ('list' in type) return Array.from({ length: reader.length() }, () => readFields(reader, type.list));
  const variant = Object.entries(type.variants)[reader.u8()];
  if (variant === undefined) return reader.reject({});
  return { variant: variant[0], ...readFields(reader, variant[1]) };
}

/** One reading method per scalar type. */
type Scalars = { [Type in keyof ScalarTypes]: () => ScalarTypes[Type] };
interface Reader extends Scalars {
  /** Reads the length of a list. */
  length(): number;
  /** Marks the bytes as malformed and returns `empty`. */
  reject<Value>(empty: Value): Value;
  atEnd(): boolean;
  fault(): DecodeFault | undefined;
}

/** Reads values in sequence; after the first fault it returns empty values, and `fault()` the reason. */
function createReader(bytes: Buffer): Reader {
  let at = 0;
  let fault: DecodeFault | undefined;

  function take(length: number): Buffer {
    const end = at + length;
    if (fault !== undefined || end > bytes.length) {
      fault ??= 'truncated';
      return Buffer.alloc(length);
    }
    const taken = bytes.subarray(at, end);
    at = end;
    return taken;
  }

  function reject<Value>(empty: Value): Value {
    fault ??= 'malformed';
    return empty;
  }

  const u64 = () => take(8).readBigUInt64LE();
  const i64 = () => take(8).readBigInt64LE();
  return {
    atEnd: () => at >= bytes.length,
    fault: () => fault,
    reject,
    pubkey: () => bs58.encode(take(pubkeyLength)),
    u8: () => take(1).readUInt8(),
    u16: () => take(2).readUInt16LE(),
    u64,
    i64,
    // The lower half comes first.
    u128: () => u64() + (u64() << 64n),
    i128: () => u64() + (i64() << 64n),
    bool() {
      const byte = take(1).readUInt8();
      return byte > 1 ? reject(false) : byte === 1;
    },
    string() {
      const length = take(4).readUInt32LE();
      if (length > maxStringLength) return reject('');
      try {
        return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(take(length));
      } catch {
        // The programs write only UTF-8.
        return reject('');
      }
    },
    length() {
      const count = take(4).readUInt32LE();
      return count > maxListLength ? reject(0) : count;
    },
  };
}
