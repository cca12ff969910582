import { expect, test } from 'vitest';
import { rangeFields } from '../../../common/tokens/filters.ts';
import { choiceOf, readControls } from './controls.ts';

const read = (search: string) => {
  const { controls, ignored } = readControls(new URLSearchParams(search));
  return { choice: choiceOf(controls), ignored };
};

test('reads every choice of the page from its address', () => {
  const choice = {
    filter: 'new',
    q: 'cat',
    sort: 'marketCap',
    order: 'asc',
    f: 'age:60-600,liquidity:5-',
    include: 'moon',
    copies: 'hide',
    unknown: 'show',
  };
  expect(read(`?${new URLSearchParams(choice)}`)).toEqual({ choice, ignored: [] });
});

test('opens the valid parts of a link with nonsense, and names the others', () => {
  const { choice, ignored } = read('?f=age:60-600,halo:1-2,risk:9-3&filter=newest&sort=price&colour=red');
  expect(choice).toEqual({ f: 'age:60-600', sort: 'price' });
  expect(ignored).toEqual(['halo:1-2', 'risk:9-3', 'filter=newest', 'colour=red']);
});

test('ranges beyond the longest text are named, and the other limits count', () => {
  const parts = rangeFields.map((field) => `${field}:0.123456789-${'1'.repeat(13)}.123456789`);
  const { choice, ignored } = read(`?stage=pool&f=${parts.join(',')}`);
  expect(choice.stage).toBe('pool');
  expect(choice.f).toMatch(/^age:0\.123456789-/);
  expect(ignored.length).toBeGreaterThan(0);
  expect((choice.f?.split(',').length ?? 0) + ignored.length).toBe(rangeFields.length);
});

test('too many words are named, and the other limits count', () => {
  const words = Array.from({ length: 21 }, (_, at) => `w${at}`).join(' ');
  expect(read(`?stage=pool&include=${words}`)).toEqual({ choice: { stage: 'pool' }, ignored: [`include=${words}`] });
});
