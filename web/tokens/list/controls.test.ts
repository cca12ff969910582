import { expect, test } from 'vitest';
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
