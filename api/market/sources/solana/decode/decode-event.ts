import bs58 from 'bs58';
import {
  type Field,
  type FieldTypes,
  type Layout,
  type PumpEvent,
  type PumpEventName,
  pumpEvents,
} from './event-layouts.ts';

/** Why bytes are not a known event. `unknown` is not an error: the program emits other events too. */
export type DecodeFault = 'unknown' | 'truncated' | 'malformed';
export type Decoded = { ok: true; event: PumpEvent } | { ok: false; fault: DecodeFault };

const discriminatorLength = 8;
const pubkeyLength = 32;
/** The longest string of pump.fun is a 200-byte uri; a longer one means that the bytes are not this event. */
const maxStringLength = 1_024;
/** More would not fit into the 10,000 bytes of a transaction's logs. */
const maxShareholders = 256;

const names = Object.keys(pumpEvents) as PumpEventName[]; // Object.keys loses the literal keys of a constant
const nameByDiscriminator = new Map(names.map((name) => [pumpEvents[name].discriminator as string, name]));

/** Decodes the bytes of one event. Never throws; ignores bytes after the last known field, which come from a newer program. */
export function decodeEvent(bytes: Buffer): Decoded {
  const name = nameByDiscriminator.get(bytes.toString('hex', 0, discriminatorLength));
  if (name === undefined) return { ok: false, fault: 'unknown' };
  const fields = readLayout(pumpEvents[name], bytes.subarray(discriminatorLength));
  if (typeof fields === 'string') return { ok: false, fault: fields };
  // The fields have the layout of `name`, which the compiler cannot follow through the table.
  return { ok: true, event: { name, fields } as unknown as PumpEvent };
}

function readLayout(layout: Layout, bytes: Buffer): Record<string, unknown> | DecodeFault {
  const reader = createReader(bytes);
  const fields: Record<string, unknown> = {};
  for (const field of layout.required) readField(reader, field, fields);
  for (const field of layout.appended) {
    // Events of an older program end between two fields. An end within a field is a truncation.
    if (reader.atEnd()) break;
    readField(reader, field, fields);
  }
  return reader.fault() ?? fields;
}

function readField(reader: Readers, [name, type]: Field, into: Record<string, unknown>): void {
  into[name] = reader[type]();
}

/** One reading method per field type. */
type Readers = { [Type in keyof FieldTypes]: () => FieldTypes[Type] };

/** Reads values in sequence; after the first fault it returns empty values, and `fault()` the reason. */
function createReader(bytes: Buffer): Readers & { atEnd(): boolean; fault(): DecodeFault | undefined } {
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

  /** Returns `empty` instead of a value that cannot be valid. */
  function malformed<Value>(empty: Value): Value {
    fault ??= 'malformed';
    return empty;
  }

  const pubkey = () => bs58.encode(take(pubkeyLength));
  return {
    atEnd: () => at >= bytes.length,
    fault: () => fault,
    pubkey,
    u64: () => take(8).readBigUInt64LE(),
    i64: () => take(8).readBigInt64LE(),
    bool() {
      const byte = take(1).readUInt8();
      return byte > 1 ? malformed(false) : byte === 1;
    },
    string() {
      const length = take(4).readUInt32LE();
      if (length > maxStringLength) return malformed('');
      try {
        return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(take(length));
      } catch {
        // The program writes only UTF-8.
        return malformed('');
      }
    },
    shareholders() {
      const count = take(4).readUInt32LE();
      if (count > maxShareholders) return malformed([]);
      return Array.from({ length: count }, () => ({ address: pubkey(), share_bps: take(2).readUInt16LE() }));
    },
  };
}
