import bs58 from 'bs58';
import { expect, test } from 'vitest';
import { pumpProgram } from '../programs.ts';
import { encodeEvent, logsOf } from '../testing/encode.ts';
import { createEvent, fixture, tradeEvent } from '../testing/events.ts';
import { decodeEvent } from './decode-event.ts';
import { type FetchedTransaction, transactionEvents } from './transaction.ts';

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
  return transactionEvents(fetched, pumpProgram).map((bytes) => {
    const decoded = decodeEvent(bytes);
    return decoded.ok ? decoded.event.name : undefined;
  });
}

test('the recorded creation: two events of ours and one of another kind, each once', () => {
  const { result } = JSON.parse(fixture('getTransaction_create_v2.json'));
  expect(names(result)).toEqual(['CreateEvent', undefined, 'TradeEvent']);
});

test('the same from the instructions alone, as when the logs were cut', () => {
  const { result } = JSON.parse(fixture('getTransaction_create_v2.json'));
  const whole = transactionEvents(result, pumpProgram);
  const cut = result.meta.logMessages.slice(0, 30).concat('Log truncated');
  expect(transactionEvents({ ...result, meta: { ...result.meta, logMessages: cut } }, pumpProgram)).toEqual(whole);
  expect(transactionEvents({ ...result, meta: { ...result.meta, logMessages: null } }, pumpProgram)).toEqual(whole);
});

test('an event that is logged and called is one event', () => {
  const both = transaction({
    logMessages: logsOf([create, buy]),
    innerInstructions: [{ index: 0, instructions: inner(create, buy) }],
  });
  expect(names(both)).toEqual(['CreateEvent', 'TradeEvent']);
});

test('called events are in the order in which they ran', () => {
  const called = transaction({
    innerInstructions: [
      { index: 5, instructions: inner(buy) },
      { index: 2, instructions: inner(create) },
    ],
  });
  expect(names(called)).toEqual(['CreateEvent', 'TradeEvent']);
});

test('calls of another program, without the mark or with unreadable data are no events', () => {
  const strangers = [
    { ...inner(create)[0], programId: 'GMgnVFR8Jb39LoXsEVzb3DvBy3ywCmdmJquHUy1Lrkqb' },
    { programId: pumpProgram, data: bs58.encode(create) },
    { programId: pumpProgram, data: '0OIl' },
    { programId: pumpProgram, parsed: {} },
  ];
  expect(names(transaction({ innerInstructions: [{ index: 0, instructions: strangers }] }))).toEqual([]);
});

test('a failed transaction and one without meta tell nothing', () => {
  expect(names(transaction({ err: { InstructionError: [0, 'Custom'] }, logMessages: logsOf([buy]) }))).toEqual([]);
  expect(names({ slot: 1, meta: null })).toEqual([]);
});
