import bs58 from 'bs58';
import type { EventOf, Fields, FieldType, Layouts, Values } from '../decode/layout.ts';
import { type PumpEvent, pumpEvents } from '../decode/pump-events.ts';
import { type PumpSwapEvent, pumpSwapEvents } from '../decode/pump-swap-events.ts';
import { noAddress, pumpProgram } from '../programs.ts';

/** Returns values of these fields for events in which they do not matter: zero, false, no address, blank texts, empty lists. */
export function zeros<Types extends Fields>(fields: Types): Values<Types> {
  return Object.fromEntries(Object.entries(fields).map(([name, type]) => [name, zero(type)])) as Values<Types>; // by name
}

function zero(type: FieldType): unknown {
  if (typeof type === 'object') return 'struct' in type ? zeros(type.struct) : [];
  if (type === 'pubkey') return noAddress;
  if (type === 'string') return '';
  if (type === 'bool') return false;
  return type === 'u8' || type === 'u16' ? 0 : 0n;
}

/** Encodes an event by its layout, independently of the decoder. Absent appended fields end the event. */
export const encodeEvent = (event: PumpEvent): Buffer => encodeBy(pumpEvents, event);
export const encodePoolEvent = (event: PumpSwapEvent): Buffer => encodeBy(pumpSwapEvents, event);

/** Encodes an event of any program by its layouts. */
export function encodeBy<Table extends Layouts>(layouts: Table, event: EventOf<Table>): Buffer {
  const layout = layouts[event.name];
  if (layout === undefined) throw new Error(`no layout of ${event.name}`);
  const fields = { ...layout.required, ...layout.appended };
  return Buffer.concat([Buffer.from(layout.discriminator, 'hex'), encodeFields(fields, event.fields)]);
}

function encodeFields(fields: Fields, values: unknown): Buffer {
  const byName = new Map<string, unknown>(Object.entries(values as Record<string, unknown>)); // the layout's type guarantees it
  const present = Object.entries(fields).filter(([name]) => byName.get(name) !== undefined);
  return Buffer.concat(present.map(([name, type]) => encodeValue(type, byName.get(name))));
}

function encodeValue(type: FieldType, value: unknown): Buffer {
  if (typeof type === 'object') return encodeCompound(type, value);
  switch (type) {
    case 'pubkey':
      return Buffer.from(bs58.decode(String(value)));
    case 'u8':
    case 'bool':
      return Buffer.from([Number(value)]);
    case 'u16':
      return integer(value, 2);
    case 'u64':
    case 'i64':
      return integer(value, 8);
    case 'u128':
    case 'i128':
      return integer(value, 16);
    case 'string': {
      const text = Buffer.from(String(value), 'utf8');
      return Buffer.concat([u32(text.length), text]);
    }
  }
}

function encodeCompound(type: Extract<FieldType, object>, value: unknown): Buffer {
  if ('struct' in type) return encodeFields(type.struct, value);
  if ('list' in type) {
    const items = Array.isArray(value) ? value : []; // the field's type guarantees it
    return Buffer.concat([u32(items.length), ...items.map((item) => encodeFields(type.list, item))]);
  }
  const { variant } = value as { variant: string }; // the field's type guarantees it
  const number = Object.keys(type.variants).indexOf(variant);
  return Buffer.concat([Buffer.from([number]), encodeFields(type.variants[variant] ?? {}, value)]);
}

/** Returns the bytes of a little-endian integer; a negative one in two's complement. */
function integer(value: unknown, length: number): Buffer {
  let rest = BigInt.asUintN(length * 8, BigInt(String(value)));
  const bytes = Buffer.alloc(length);
  for (let at = 0; at < length; at += 1) {
    bytes[at] = Number(rest & 0xffn);
    rest >>= 8n;
  }
  return bytes;
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

/** Returns the log lines of a transaction in which pump.fun emitted these events. */
export function logsOf(events: readonly Buffer[], program = pumpProgram): string[] {
  const printed = events.map((bytes) => `Program data: ${bytes.toString('base64')}`);
  return [`Program ${program} invoke [1]`, ...printed, `Program ${program} success`];
}

/** Returns the notification of a transaction. */
export function frameOf(transaction: {
  signature: string;
  slot: number;
  logs: string[] | null;
  err?: unknown;
}): string {
  const { signature, slot, logs, err = null } = transaction;
  const result = { context: { slot }, value: { signature, err, logs } };
  return JSON.stringify({ jsonrpc: '2.0', method: 'logsNotification', params: { subscription: 1, result } });
}
