import { describe, expect, test } from 'vitest';
import { Creators } from './creator-history.ts';
import { KnownSymbols } from './known-symbols.ts';

const AT = 1_790_000_000_000;
const DAY = 86_400_000;

function launch(address: string, at: number, overrides: Partial<Parameters<Creators['add']>[0]> = {}) {
  return { address, creator: 'creator', symbol: 'PEPE', at, rugged: false, ...overrides };
}

describe('creators', () => {
  test('counts the other coins of the 24 h before', () => {
    const creators = new Creators();
    for (const [index, at] of [AT - DAY - 1, AT - DAY, AT - 5, AT, AT + 5].entries()) {
      creators.add(launch(`coin${index}`, at));
    }
    expect(creators.launchesBefore('creator', 'coin3', AT)).toBe(2);
    expect(creators.launchesBefore('nobody', 'coin3', AT)).toBe(0);
  });

  test('without an earlier coin, whether the creator rugs is not known', () => {
    const creators = new Creators();
    creators.add(launch('first', AT - 10));
    creators.add(launch('second', AT));
    expect(creators.ruggedBefore('creator', 'first', AT - 10)).toBeNull();
    expect(creators.ruggedBefore('creator', 'second', AT)).toBe(0);
    expect(creators.markRugged('creator', 'first')).toEqual(['second']);
    expect(creators.ruggedBefore('creator', 'second', AT)).toBe(1);
  });

  test('finds an older coin of the last day with the same symbol, in any case of letters', () => {
    const creators = new Creators();
    creators.add(launch('old', AT - DAY - 1));
    creators.add(launch('older', AT - 10));
    creators.add(launch('younger', AT + 10));
    expect(creators.twinOf(' pepe', 'this', AT)).toBe('older');
    expect(creators.twinOf('OTHER', 'this', AT)).toBe('');
    expect(creators.twinOf('Unknown', 'this', AT)).toBeNull();
    expect(creators.twinOf(null, 'this', AT)).toBeNull();
  });

  test('a symbol that everybody knows belongs to its own mint', () => {
    const usdc = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
    expect(new Creators().twinOf('usdc', 'this', AT)).toBe(usdc);
    expect(new Creators().twinOf('USDC', usdc, AT)).toBe('');
  });

  test('a symbol that several known coins have belongs to each of them', () => {
    const known = new KnownSymbols();
    known.add(
      new Map([
        ['MONKE', ['first', 'second']],
        ['USDC', ['not usdc']],
      ]),
    );
    const creators = new Creators(known);
    expect(creators.twinOf('monke', 'this', AT)).toBe('first');
    expect(creators.twinOf('monke', 'second', AT)).toBe('');
    // What is built in stays as it is.
    expect(creators.twinOf('usdc', 'not usdc', AT)).toBe('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
  });

  test('a coin that is told twice is one coin', () => {
    const creators = new Creators();
    creators.add(launch('first', AT - 10));
    creators.add(launch('first', AT - 10, { rugged: true }));
    creators.add(launch('second', AT));
    expect(creators.launchesBefore('creator', 'second', AT)).toBe(1);
    expect(creators.ruggedBefore('creator', 'second', AT)).toBe(1);
  });
});
