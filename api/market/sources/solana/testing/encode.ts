import bs58 from 'bs58';
import { type Field, type PumpEvent, pumpEvents, type Shareholder } from '../decode/event-layouts.ts';
import { pumpProgram } from '../programs.ts';

/** Encodes an event by its layout, independently of the decoder. Absent appended fields end the event. */
export function encodeEvent(event: PumpEvent): Buffer {
  const layout = pumpEvents[event.name];
  const fields: readonly Field[] = [...layout.required, ...layout.appended];
  const values = new Map<string, unknown>(Object.entries(event.fields));
  const parts = fields
    .filter(([name]) => values.get(name) !== undefined)
    .map(([name, type]) => encodeValue(type, values.get(name)));
  return Buffer.concat([Buffer.from(layout.discriminator, 'hex'), ...parts]);
}

function encodeValue(type: Field[1], value: unknown): Buffer {
  switch (type) {
    case 'pubkey':
      return Buffer.from(bs58.decode(String(value)));
    case 'u64':
    case 'i64': {
      const bytes = Buffer.alloc(8);
      bytes.writeBigUInt64LE(BigInt.asUintN(64, BigInt(String(value))));
      return bytes;
    }
    case 'bool':
      return Buffer.from([value === true ? 1 : 0]);
    case 'string': {
      const text = Buffer.from(String(value), 'utf8');
      return Buffer.concat([u32(text.length), text]);
    }
    case 'shareholders': {
      const holders = Array.isArray(value) ? (value as Shareholder[]) : []; // the field's type guarantees it
      return Buffer.concat([u32(holders.length), ...holders.map(encodeShareholder)]);
    }
  }
}

function encodeShareholder({ address, share_bps }: Shareholder): Buffer {
  const share = Buffer.alloc(2);
  share.writeUInt16LE(share_bps);
  return Buffer.concat([Buffer.from(bs58.decode(address)), share]);
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
