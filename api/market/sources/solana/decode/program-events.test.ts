import bs58 from 'bs58';
import { describe, expect, test } from 'vitest';
import { pumpProgram, pumpSwapProgram } from '../programs.ts';
import { encodeEvent, logsOf } from '../testing/encode.ts';
import { createEvent, expectedEvents, fixture, recordedFrames, tradeEvent } from '../testing/events.ts';
import { createDecoder } from './decode-event.ts';
import { type FetchedTransaction, loggedEvents, transactionEvents } from './program-events.ts';
import { pumpEvents as layouts } from './pump-events.ts';

const decodeEvent = createDecoder(layouts);
const pump = new Set([pumpProgram]);
/** Returns the texts of pump.fun's data lines, as base64. */
function pumpData(lines: readonly string[]): string[] {
  return loggedEvents(lines, pump).events.map(({ bytes }) => bytes.toString('base64'));
}
const create = encodeEvent(createEvent());
const buy = encodeEvent(tradeEvent());
const selfInvoke = Buffer.from('e445a52e51cb9a1d', 'hex');

function transaction(meta: Partial<NonNullable<FetchedTransaction['meta']>>): FetchedTransaction {
  return { slot: 1, meta: { err: null, ...meta } };
}

function inner(...events: Buffer[]) {
  return events.map((event) => ({ programId: pumpProgram, data: bs58.encode(Buffer.concat([selfInvoke, event])) }));
}

function names(fetched: FetchedTransaction): (string | undefined)[] {
  return transactionEvents(fetched, pump).map(({ bytes }) => {
    const decoded = decodeEvent(bytes);
    return decoded.ok ? decoded.event.name : undefined;
  });
}

const other = 'GMgnVFR8Jb39LoXsEVzb3DvBy3ywCmdmJquHUy1Lrkqb';

describe('loggedEvents', () => {
  test('finds every recorded event of the program only', () => {
    const pumpEvents = new Set(expectedEvents().map(({ program_data }) => program_data));
    const found = recordedFrames()
      .map(({ raw }) => JSON.parse(raw).params?.result.value)
      .filter((value) => value?.err === null)
      .flatMap((value) => pumpData(value.logs));
    for (const event of pumpEvents) expect(found).toContain(event);
    // Including three ExtendAccount events, one SetCreator and one MigrateBondingCurveCreator.
    expect(found).toHaveLength(pumpEvents.size + 5);
  });

  test('ignores an event printed by another program', () => {
    const lines = [
      `Program ${other} invoke [1]`,
      'Program data: forged',
      `Program ${pumpProgram} invoke [2]`,
      'Program data: real',
      `Program ${pumpSwapProgram} invoke [3]`,
      'Program data: forged too',
      `Program ${pumpSwapProgram} success`,
      'Program data: real too',
      `Program ${pumpProgram} consumed 2093 of 94273 compute units`,
      `Program ${pumpProgram} success`,
      'Program data: forged again',
      `Program ${other} success`,
      'Program data: outside of all programs',
    ];
    expect(loggedEvents(lines, pump).truncated).toBe(false);
    expect(pumpData(lines)).toEqual(['real', 'realtoo=']);
  });

  test('ignores call lines printed by a program', () => {
    const lines = [
      `Program ${other} invoke [1]`,
      `Program log: Program ${pumpProgram} invoke [2]`,
      `Program log: x\nProgram ${pumpProgram} invoke [2]`,
      'Program data: forged',
      `Program ${other} success`,
    ];
    expect(pumpData(lines)).toEqual([]);
  });

  test('ends a failed call like a successful one', () => {
    const lines = [
      `Program ${pumpProgram} invoke [1]`,
      `Program ${other} invoke [2]`,
      `Program ${other} failed: custom program error: 0x6f`,
      'Program data: real',
      `Program ${pumpProgram} success`,
    ];
    expect(pumpData(lines)).toEqual(['real']);
  });

  test('trusts the depth of a call over missing lines', () => {
    const lines = [`Program ${other} invoke [1]`, `Program ${pumpProgram} invoke [1]`, 'Program data: real'];
    expect(pumpData(lines)).toEqual(['real']);
  });

  test('ignores everything after the truncation', () => {
    const lines = [`Program ${pumpProgram} invoke [1]`, 'Program data: real', 'Log truncated', 'Program data: unknown'];
    expect(loggedEvents(lines, pump).truncated).toBe(true);
    expect(pumpData(lines)).toEqual(['real']);
  });

  test('ignores look-alike instruction names', () => {
    const { logs } = JSON.parse(fixture('logsNotification_create_lookalike.json')).params.result.value;
    expect(logs.some((line: string) => line.includes('Instruction: Create'))).toBe(true);
    // pump.fun printed a change of the creator there, which frames.test.ts covers as an unknown event.
    expect(pumpData(logs).every((text) => !text.startsWith('G3KpTd7rY3'))).toBe(true);
  });
});

describe('transactionEvents', () => {
  test('finds each event of the recorded creation once, including an unknown one', () => {
    const { result } = JSON.parse(fixture('getTransaction_create_v2.json'));
    expect(names(result)).toEqual(['CreateEvent', undefined, 'TradeEvent']);
  });

  test('finds the same events in the instructions when the logs are truncated', () => {
    const { result } = JSON.parse(fixture('getTransaction_create_v2.json'));
    const whole = transactionEvents(result, pump);
    const cut = result.meta.logMessages.slice(0, 30).concat('Log truncated');
    expect(transactionEvents({ ...result, meta: { ...result.meta, logMessages: cut } }, pump)).toEqual(whole);
    expect(transactionEvents({ ...result, meta: { ...result.meta, logMessages: null } }, pump)).toEqual(whole);
  });

  test('counts an event in logs and instructions once', () => {
    const both = transaction({
      logMessages: logsOf([create, buy]),
      innerInstructions: [{ index: 0, instructions: inner(create, buy) }],
    });
    expect(names(both)).toEqual(['CreateEvent', 'TradeEvent']);
  });

  test('orders called events by execution', () => {
    const called = transaction({
      innerInstructions: [
        { index: 5, instructions: inner(buy) },
        { index: 2, instructions: inner(create) },
      ],
    });
    expect(names(called)).toEqual(['CreateEvent', 'TradeEvent']);
  });

  test('ignores calls of another program, without the marker or with unreadable data', () => {
    const strangers = [
      { ...inner(create)[0], programId: 'GMgnVFR8Jb39LoXsEVzb3DvBy3ywCmdmJquHUy1Lrkqb' },
      { programId: pumpProgram, data: bs58.encode(create) },
      { programId: pumpProgram, data: '0OIl' },
      { programId: pumpProgram, parsed: {} },
    ];
    expect(names(transaction({ innerInstructions: [{ index: 0, instructions: strangers }] }))).toEqual([]);
  });

  test('finds nothing in a failed transaction or one without meta', () => {
    expect(names(transaction({ err: { InstructionError: [0, 'Custom'] }, logMessages: logsOf([buy]) }))).toEqual([]);
    expect(names({ slot: 1, meta: null })).toEqual([]);
  });
});
