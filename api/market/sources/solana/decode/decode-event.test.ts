import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rounds } from '../../../../../common/testing/effort.ts';
import { encodeEvent } from '../testing/encode.ts';
import {
  appendedCreateFields,
  appendedTradeFields,
  completeEvent,
  createEvent,
  expectedEvents,
  fixture,
  migrationEvent,
  tradeEvent,
} from '../testing/events.ts';
import { createDecoder, type Decoded } from './decode-event.ts';
import { type PumpEvent, pumpEvents } from './pump-events.ts';

const decodeEvent = createDecoder(pumpEvents);
const decodeText = (base64: string) => decodeEvent(Buffer.from(base64, 'base64'));

/** Converts bigint to number; every amount of the expected events is exact in a double. */
function plain(decoded: Decoded<PumpEvent>): unknown {
  if (!decoded.ok) return decoded;
  const numbers = (_key: string, value: unknown) => (typeof value === 'bigint' ? Number(value) : value);
  return JSON.parse(JSON.stringify({ event: decoded.event.name, fields: decoded.event.fields }, numbers));
}

describe('decodes as recorded', () => {
  test.each(expectedEvents())('$event of $signature, field by field', ({ program_data, event, fields }) => {
    expect(plain(decodeText(program_data))).toEqual({ event, fields });
  });

  test('the buy of a coin quoted in USDC', () => {
    const { meta } = JSON.parse(fixture('getTransaction_buy_v2_usdc_quoted.json')).result;
    const line = (meta.logMessages as string[]).find((text) => text.startsWith('Program data: vdt/007mYe'));
    expect(plain(decodeText(line?.slice('Program data: '.length) ?? ''))).toMatchObject({
      event: 'TradeEvent',
      fields: {
        sol_amount: 0,
        virtual_sol_reserves: 0,
        quote_mint: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
        quote_amount: 3_517_192,
        virtual_quote_reserves: 9_798_461_752,
        real_quote_reserves: 25_148_140,
      },
    });
  });
});

const oldEvents: PumpEvent[] = [createEvent(), tradeEvent(), completeEvent(), migrationEvent()];
const newEvents: PumpEvent[] = [
  createEvent(appendedCreateFields),
  tradeEvent(appendedTradeFields),
  completeEvent({ quote_mint: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' }),
  migrationEvent({ quote_mint: '11111111111111111111111111111111' }),
];

describe('layouts of all ages', () => {
  test.each(oldEvents)('$name of an older program', (event) => {
    expect(decodeEvent(encodeEvent(event))).toEqual({ ok: true, event });
  });

  test.each(newEvents)('$name of a current program', (event) => {
    expect(decodeEvent(encodeEvent(event))).toEqual({ ok: true, event });
  });

  test.each(newEvents)('$name of a newer program, ignoring appended fields', (event) => {
    const longer = Buffer.concat([encodeEvent(event), Buffer.from('appended later')]);
    expect(decodeEvent(longer)).toEqual({ ok: true, event });
  });
});

describe('never throws', () => {
  test('returns truncated wherever the required fields end early', () => {
    for (const event of oldEvents) {
      const whole = encodeEvent(event);
      for (let length = 8; length < whole.length; length += 1) {
        expect(decodeEvent(whole.subarray(0, length))).toEqual({ ok: false, fault: 'truncated' });
      }
    }
  });

  test('returns truncated within an appended field, but not between two', () => {
    const short = encodeEvent(tradeEvent());
    const whole = encodeEvent(tradeEvent(appendedTradeFields));
    expect(decodeEvent(whole.subarray(0, short.length))).toEqual({ ok: true, event: tradeEvent() });
    expect(decodeEvent(whole.subarray(0, short.length + 1))).toEqual({ ok: false, fault: 'truncated' });
  });

  test('returns unknown for other bytes', () => {
    expect(decodeEvent(Buffer.alloc(0))).toEqual({ ok: false, fault: 'unknown' });
    expect(decodeEvent(Buffer.alloc(400))).toEqual({ ok: false, fault: 'unknown' });
    expect(decodeText('not base64 at all!')).toEqual({ ok: false, fault: 'unknown' });
  });

  test('returns malformed for impossible values', () => {
    const trade = encodeEvent(tradeEvent());
    trade[8 + 32 + 8 + 8] = 2; // is_buy
    expect(decodeEvent(trade)).toEqual({ ok: false, fault: 'malformed' });
    const text = encodeEvent(createEvent());
    text[12] = 0xff; // first byte of the name
    expect(decodeEvent(text)).toEqual({ ok: false, fault: 'malformed' });
    const long = encodeEvent(createEvent());
    long.writeUInt32LE(0xffff_ffff, 8); // length of the name
    expect(decodeEvent(long)).toEqual({ ok: false, fault: 'malformed' });
  });

  test('on any bytes after any discriminator', () => {
    const discriminators = oldEvents.map((event) => encodeEvent(event).subarray(0, 8));
    const bytes = fc.uint8Array({ maxLength: 600 });
    fc.assert(
      fc.property(fc.constantFrom(...discriminators, Buffer.alloc(0)), bytes, (start, rest) => {
        const decoded = decodeEvent(Buffer.concat([start, rest]));
        if (!decoded.ok) expect(['unknown', 'truncated', 'malformed']).toContain(decoded.fault);
      }),
      { numRuns: rounds(2_000) },
    );
  });

  test('on recorded events with bytes changed and cut', () => {
    const recorded = expectedEvents().map(({ program_data }) => Buffer.from(program_data, 'base64'));
    const change = fc.record({ at: fc.nat(), to: fc.nat(255), length: fc.nat() });
    fc.assert(
      fc.property(fc.constantFrom(...recorded), change, (event, { at, to, length }) => {
        const changed = Buffer.from(event);
        changed[at % changed.length] = to;
        expect(typeof decodeEvent(changed.subarray(0, length % (changed.length + 1))).ok).toBe('boolean');
      }),
      { numRuns: rounds(2_000) },
    );
  });
});
