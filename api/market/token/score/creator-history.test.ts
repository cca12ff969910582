import { describe, expect, test } from 'vitest';
import { DAY } from '../../../../common/time.ts';
import { copyKeys, createCreatorHistory, createKnownSymbols, type Launch } from './creator-history.ts';

const AT = 1_790_000_000_000;

function launch(address: string, at: number, overrides: Partial<Launch> = {}) {
  return {
    address,
    user: 'creator',
    creator: 'creator',
    payer: null,
    symbol: 'PEPE',
    name: null,
    at,
    rugged: false,
    ...overrides,
  };
}

describe('creator history', () => {
  test('one coin of a name is the first, however many follow', () => {
    const history = createCreatorHistory();
    const keys = copyKeys({ symbol: null, name: 'Pepe' });
    const places = Array.from({ length: 100 }, (_, index) => {
      history.add(launch(`coin${index}`, AT + index, { symbol: null, name: 'Pepe' }));
      return history.twinsOf(keys, `coin${index}`, AT + index)?.[0] ?? 1;
    });
    expect(places.filter((place) => place === 1)).toHaveLength(1);
    expect(history.twinsOf(keys, 'coin0', AT)?.[0]).toBe(1);
  });

  test('counts the other coins of the 24 h before', () => {
    const history = createCreatorHistory();
    for (const [index, at] of [AT - DAY - 1, AT - DAY, AT - 5, AT, AT + 5].entries()) {
      history.add(launch(`coin${index}`, at));
    }
    expect(history.launchesBefore(launch('coin3', AT))).toBe(2);
    expect(history.launchesBefore(launch('coin3', AT, { user: 'stranger', creator: 'stranger' }))).toBe(0);
  });

  test('the rugs of a creator without an earlier coin are unknown', () => {
    const history = createCreatorHistory();
    history.add(launch('first', AT - 10));
    history.add(launch('second', AT));
    expect(history.ruggedBefore(launch('first', AT - 10))).toBeNull();
    expect(history.ruggedBefore(launch('second', AT))).toBe(0);
    expect(history.markRugged(launch('first', AT - 10))).toEqual(['second']);
    expect(history.ruggedBefore(launch('second', AT))).toBe(1);
  });

  test('counts the coins of other signers that the same wallet paid for', () => {
    const history = createCreatorHistory();
    history.add(launch('paid', AT - 10, { user: 'one', creator: 'one', payer: 'purse' }));
    const next = launch('next', AT, { user: 'two', creator: 'two', payer: 'purse' });
    history.add(next);
    expect(history.launchesBefore(next)).toBe(1);
    expect(history.launchesBefore({ ...next, payer: null })).toBe(0);
    // The purse launches a coin of its own.
    expect(history.launchesBefore(launch('own', AT + 1, { user: 'purse', creator: 'purse' }))).toBe(2);
    expect(history.markRugged({ ...next, address: 'paid', user: 'one', creator: 'one' })).toEqual(['next']);
    expect(history.ruggedBefore(next)).toBe(1);
    history.remove('paid', { user: 'one', creator: 'one', payer: 'purse', symbol: null, name: null });
    expect(history.launchesBefore(next)).toBe(0);
  });

  test('finds an older coin of the last day with the same symbol, ignoring case', () => {
    const history = createCreatorHistory();
    history.add(launch('old', AT - DAY - 1));
    history.add(launch('older', AT - 10));
    history.add(launch('younger', AT + 10));
    expect(history.twinOf(' pepe', 'this', AT)).toBe('older');
    expect(history.twinOf('OTHER', 'this', AT)).toBe('');
    expect(history.twinOf('Unknown', 'this', AT)).toBeNull();
    expect(history.twinOf(null, 'this', AT)).toBeNull();
  });

  test('a well-known symbol belongs to its own mint', () => {
    const usdc = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
    expect(createCreatorHistory().twinOf('usdc', 'this', AT)).toBe(usdc);
    expect(createCreatorHistory().twinOf('USDC', usdc, AT)).toBe('');
  });

  test('a symbol of several known coins belongs to each of them', () => {
    const known = createKnownSymbols();
    known.add(
      new Map([
        ['MONKE', ['first', 'second']],
        ['USDC', ['not usdc']],
      ]),
    );
    const history = createCreatorHistory(known);
    expect(history.twinOf('monke', 'this', AT)).toBe('first');
    expect(history.twinOf('monke', 'second', AT)).toBe('');
    // Built-in symbols stay unchanged.
    expect(history.twinOf('usdc', 'not usdc', AT)).toBe('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
  });

  test('a coin that is added twice counts once', () => {
    const history = createCreatorHistory();
    history.add(launch('first', AT - 10));
    history.add(launch('first', AT - 10, { rugged: true }));
    history.add(launch('second', AT));
    expect(history.launchesBefore(launch('second', AT))).toBe(1);
    expect(history.ruggedBefore(launch('second', AT))).toBe(1);
  });

  test('many launches do not push the rugs out', () => {
    const history = createCreatorHistory();
    for (let coin = 0; coin < 5; coin += 1) history.add(launch(`rug${coin}`, AT - 100 + coin, { rugged: true }));
    for (let coin = 0; coin < 40; coin += 1) history.add(launch(`dud${coin}`, AT - 50 + coin));
    expect(history.ruggedBefore(launch('next', AT))).toBe(5);
  });

  test('counts by the signer first: coins in another name count for the same pair, never against the stranger', () => {
    const history = createCreatorHistory();
    const named = { user: 'signer', creator: 'stranger' };
    history.add(launch('own', AT - 30, { user: 'stranger', creator: 'stranger', rugged: true }));
    history.add(launch('named', AT - 20, { ...named, rugged: true }));
    // The signer's own earlier coin and the one its named creator signed.
    expect(history.ruggedBefore(launch('next', AT, named))).toBe(2);
    expect(history.ruggedBefore(launch('next', AT, { user: 'other', creator: 'stranger' }))).toBe(2);
    expect(history.ruggedBefore(launch('next', AT, { user: 'signer', creator: 'signer' }))).toBe(1);
    expect(history.ruggedBefore(launch('next', AT, { user: 'stranger', creator: 'stranger' }))).toBe(1);
    expect(history.markRugged(launch('own', AT - 30, { user: 'stranger', creator: 'stranger' }))).toEqual(['named']);
  });
});
