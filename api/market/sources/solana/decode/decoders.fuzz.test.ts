import bs58 from 'bs58';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rounds } from '../../../../../common/testing/effort.ts';
import { isPossible } from '../../../ingest/bounds.ts';
import { readTransaction } from '../launchpad-source.ts';
import { pumpProgram, pumpSwapProgram } from '../programs.ts';
import { encodeEvent, encodePoolEvent, frameOf } from '../testing/encode.ts';
import { completeEvent, createEvent, fixture, migrationEvent, recordedFrames, tradeEvent } from '../testing/events.ts';
import { callOf, meteoraAccounts, meteoraComplete, meteoraCreation, meteoraSwap } from '../testing/launchpad-calls.ts';
import {
  poolAccount,
  poolBurn,
  poolBuy,
  poolCreation,
  poolDeposit,
  poolSell,
  poolWithdrawal,
  recordedPoolEvents,
} from '../testing/pool-events.ts';
import { createFrames } from './frames.ts';
import { launchLab } from './launchlab.ts';
import { meteoraDbc } from './meteora-dbc.ts';
import type { FetchedTransaction } from './program-events.ts';
import { decodePoolAccount } from './pump-swap.ts';

const times = { receivedAt: 1_785_400_002_000, shift: 0 };
const programs = [pumpProgram, pumpSwapProgram];
const events = [
  ...[createEvent(), tradeEvent(), completeEvent(), migrationEvent()].map(encodeEvent),
  ...[poolCreation(), poolBuy(), poolSell(), poolDeposit(), poolWithdrawal(), poolBurn()].map(encodePoolEvent),
  ...recordedPoolEvents().map(({ program_data }) => Buffer.from(program_data, 'base64')),
];

/** Bytes of one of these events, cut and with at most `most` of them changed. */
const mutated = (from: readonly Buffer[], most: number) =>
  fc
    .record({
      event: fc.constantFrom(...from),
      changes: fc.array(fc.record({ at: fc.nat(), to: fc.nat(255) }), { maxLength: most }),
      cut: fc.option(fc.nat()),
    })
    .map(({ event, changes, cut }) => {
      const bytes = Buffer.from(event);
      for (const { at, to } of changes) bytes[at % bytes.length] = to;
      return bytes.subarray(0, cut === null ? undefined : cut % (bytes.length + 1));
    });
const dataLine = mutated(events, 6).map((bytes) => `Program data: ${bytes.toString('base64')}`);
const address = fc.constantFrom(...programs, 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4');
const anyLine = fc.oneof(
  dataLine,
  fc.tuple(address, fc.integer({ min: 0, max: 9 })).map(([program, depth]) => `Program ${program} invoke [${depth}]`),
  address.map((program) => `Program ${program} success`),
  address.map((program) => `Program log: Program ${program} invoke [1]`),
  fc.constantFrom('Log truncated', 'Program data: ', 'Program data: %%%', ''),
  fc.string(),
);
const frames = createFrames({ source: 'solana', cluster: 'mainnet' });
let transactions = 0;
/** Reads the lines as the log of another transaction. */
function read(logs: string[]) {
  transactions += 1;
  const frame = frames.read(frameOf({ signature: `s${transactions}`, slot: 1, logs }), times);
  return frame.kind === 'transaction' ? frame.observations : [];
}

describe('lines of a log', () => {
  test('in any order, cut and changed, never throw and yield only plain numbers', () => {
    fc.assert(
      fc.property(fc.array(anyLine, { maxLength: 30 }), (logs) => {
        for (const observation of read(logs)) {
          expect(typeof isPossible(observation)).toBe('boolean');
          if ('reserves' in observation && observation.reserves !== undefined) {
            for (const reserve of Object.values(observation.reserves)) expect(Number.isSafeInteger(reserve)).toBe(true);
          }
        }
      }),
      { numRuns: rounds(600) },
    );
  });

  test('of a program that logs look-alike data make nothing', () => {
    const forger = 'GMgnVFR8Jb39LoXsEVzb3DvBy3ywCmdmJquHUy1Lrkqb';
    const pretended = fc.oneof(
      dataLine,
      fc.constantFrom(...events).map((bytes) => `Program data: ${bytes.toString('base64')}`),
      address.map((program) => `Program log: Program ${program} invoke [2]`),
      address.map((program) => `Program log: x\nProgram ${program} invoke [2]`),
    );
    // It may call the real programs, which then say nothing themselves.
    const call = address.map((program) => [`Program ${program} invoke [2]`, `Program ${program} success`]);
    const lines = fc.array(
      fc.oneof(
        pretended.map((line) => [line]),
        call,
      ),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(lines, (body) => {
        expect(read([`Program ${forger} invoke [1]`, ...body.flat(), `Program ${forger} success`])).toEqual([]);
      }),
      { numRuns: rounds(600) },
    );
  });

  test('of recorded frames with bytes changed never throw', () => {
    const recorded = recordedFrames().map(({ raw }) => raw);
    const change = fc.record({ raw: fc.constantFrom(...recorded), at: fc.nat(), to: fc.string({ maxLength: 3 }) });
    fc.assert(
      fc.property(change, ({ raw, at, to }) => {
        const place = at % raw.length;
        const frame = frames.read(raw.slice(0, place) + to + raw.slice(place + to.length), times);
        expect(typeof frame.kind).toBe('string');
      }),
      { numRuns: rounds(300) },
    );
  });
});

test('accounts of pools, cut and changed, never throw', () => {
  const account = poolAccount({ creator: pumpProgram });
  const change = fc.record({ at: fc.nat(account.length - 1), to: fc.nat(255), length: fc.nat(account.length) });
  fc.assert(
    fc.property(change, ({ at, to, length }) => {
      const bytes = Buffer.from(account);
      bytes[at] = to;
      const pool = decodePoolAccount(bytes.subarray(0, length));
      expect(pool === null || pool.base_mint.length > 0).toBe(true);
    }),
  );
});

describe('transactions of Meteora', () => {
  const { data, event: creation } = meteoraCreation();
  const swaps = [meteoraSwap(), meteoraSwap({ trade_direction: 0 }), meteoraComplete(), creation];
  const calls = fc.record({
    sent: fc.array(mutated(swaps, 4), { minLength: 1, maxLength: 4 }),
    accounts: fc.oneof(fc.constant(18), fc.nat(18)),
    named: fc.nat(data.length),
    forged: fc.boolean(),
  });

  test('with own events cut, changed and forged never throw and yield only plain numbers', () => {
    let observed = 0;
    fc.assert(
      fc.property(calls, ({ sent, accounts, named, forged }) => {
        const call = { accounts: meteoraAccounts.slice(0, accounts), data: data.subarray(0, named) };
        const transaction = callOf(forged ? { program: pumpProgram } : meteoraDbc, call, sent);
        const { observations } = readTransaction(meteoraDbc, 's', transaction, { ...times, cluster: 'mainnet' });
        if (forged) expect(observations).toEqual([]);
        for (const observation of observations) {
          observed += 1;
          expect(typeof isPossible(observation)).toBe('boolean');
          if (observation.kind !== 'trade') continue;
          const { quoteAmount, tokenAmount, reserves } = observation;
          for (const amount of [quoteAmount, tokenAmount, ...Object.values(reserves)]) {
            expect(Number.isSafeInteger(amount)).toBe(true);
          }
        }
      }),
      { numRuns: rounds(2_000) },
    );
    // Otherwise nothing of the decoder was tested.
    expect(observed).toBeGreaterThan(rounds(50));
  });
});

describe('transactions of LaunchLab', () => {
  const names = ['getTransaction_launchlab_create_and_buy.json', 'getTransaction_launchlab_sell.json'];
  const changes = fc.record({
    name: fc.constantFrom(...names),
    at: fc.nat(),
    to: fc.nat(255),
    length: fc.option(fc.nat()),
    accounts: fc.nat(20),
    forged: fc.boolean(),
  });

  test('with calls cut, changed and forged never throw', () => {
    fc.assert(
      fc.property(changes, ({ name, at, to, length, accounts, forged }) => {
        const transaction: FetchedTransaction = JSON.parse(fixture(name));
        const change = <Instruction extends object>(instruction: Instruction): Instruction => {
          const data = 'data' in instruction && typeof instruction.data === 'string' ? instruction.data : '';
          const bytes = Buffer.from(bs58.decode(data));
          bytes[at % bytes.length] = to;
          const cut = bytes.subarray(0, length === null ? undefined : length % (bytes.length + 1));
          const list = 'accounts' in instruction && Array.isArray(instruction.accounts) ? instruction.accounts : [];
          return { ...instruction, data: bs58.encode(cut), accounts: list.slice(0, accounts) };
        };
        const inner = (transaction.meta?.innerInstructions ?? []).map(({ index, instructions }) => ({
          index,
          instructions: instructions.map((one) => (forged ? { ...change(one), programId: pumpProgram } : change(one))),
        }));
        const meta = { err: null, ...transaction.meta, innerInstructions: inner };
        const { observations } = readTransaction(
          launchLab,
          's',
          { ...transaction, meta },
          { ...times, cluster: 'mainnet' },
        );
        if (forged) expect(observations).toEqual([]);
      }),
      { numRuns: rounds(500) },
    );
  });
});
