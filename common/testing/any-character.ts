import fc from 'fast-check';

const SURROGATES = { from: 0xd800, count: 0x800 };
const LAST = 0x10ffff;

/**
 * Generates characters of all of Unicode, in place of fast-check's unit `binary`, which makes a table of them all first: that takes
 * most of a second in each process.
 */
export const anyCharacter: fc.Arbitrary<string> = fc
  .integer({ min: 0, max: LAST - SURROGATES.count })
  .map(characterOf, numberOf);

function characterOf(number: number): string {
  return String.fromCodePoint(number < SURROGATES.from ? number : number + SURROGATES.count);
}

/** Returns the number of a character, by which fast-check recognises texts that it may use as examples. Throws for anything else. */
function numberOf(character: unknown): number {
  if (typeof character !== 'string' || !/^\P{Cs}$/u.test(character)) throw new Error('not one character');
  const codePoint = character.codePointAt(0) ?? 0;
  return codePoint < SURROGATES.from ? codePoint : codePoint - SURROGATES.count;
}
