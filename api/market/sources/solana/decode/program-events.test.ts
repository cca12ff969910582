import { describe, expect, test } from 'vitest';
import { pumpProgram, pumpSwapProgram } from '../programs.ts';
import { expectedEvents, fixture, recordedFrames } from '../testing/events.ts';
import { programData } from './program-events.ts';

const other = 'GMgnVFR8Jb39LoXsEVzb3DvBy3ywCmdmJquHUy1Lrkqb';

describe('programData', () => {
  test('finds every recorded event, and of other programs none', () => {
    const pumpEvents = new Set(expectedEvents().map(({ program_data }) => program_data));
    const found = recordedFrames()
      .map(({ raw }) => JSON.parse(raw).params?.result.value)
      .filter((value) => value?.err === null)
      .flatMap((value) => programData(value.logs, pumpProgram).data);
    for (const event of pumpEvents) expect(found).toContain(event);
    // Three ExtendAccount events, one SetCreator and one MigrateBondingCurveCreator are the program's as well.
    expect(found).toHaveLength(pumpEvents.size + 5);
  });

  test('an event printed by another program does not count', () => {
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
    expect(programData(lines, pumpProgram)).toEqual({ data: ['real', 'real too'], truncated: false });
  });

  test('a program that writes call lines into its own text deceives nobody', () => {
    const lines = [
      `Program ${other} invoke [1]`,
      `Program log: Program ${pumpProgram} invoke [2]`,
      `Program log: x\nProgram ${pumpProgram} invoke [2]`,
      'Program data: forged',
      `Program ${other} success`,
    ];
    expect(programData(lines, pumpProgram).data).toEqual([]);
  });

  test('a failed call ends like one that succeeded', () => {
    const lines = [
      `Program ${pumpProgram} invoke [1]`,
      `Program ${other} invoke [2]`,
      `Program ${other} failed: custom program error: 0x6f`,
      'Program data: real',
      `Program ${pumpProgram} success`,
    ];
    expect(programData(lines, pumpProgram).data).toEqual(['real']);
  });

  test('the depth of a call is believed over lines that are missing', () => {
    const lines = [`Program ${other} invoke [1]`, `Program ${pumpProgram} invoke [1]`, 'Program data: real'];
    expect(programData(lines, pumpProgram).data).toEqual(['real']);
  });

  test('nothing behind the cut is believed', () => {
    const lines = [`Program ${pumpProgram} invoke [1]`, 'Program data: real', 'Log truncated', 'Program data: whose?'];
    expect(programData(lines, pumpProgram)).toEqual({ data: ['real'], truncated: true });
  });

  test('look-alike instruction names are no events', () => {
    const { logs } = JSON.parse(fixture('logsNotification_create_lookalike.json')).params.result.value;
    expect(logs.some((line: string) => line.includes('Instruction: Create'))).toBe(true);
    // What pump.fun itself printed there is the change of a creator, which frames.test.ts shows to be no event of ours.
    expect(programData(logs, pumpProgram).data.every((text) => !text.startsWith('G3KpTd7rY3'))).toBe(true);
  });
});
