import { expect, test } from 'vitest';
import { choiceOfList, listNameOf } from './lists.ts';

test('equal choices have one name, whatever their order on screen', () => {
  const name = listNameOf({ f: 'age:60-600', filter: 'new', q: 'a & b=c', sort: 'price', order: 'asc' });
  expect(name).toBe(listNameOf({ q: 'a & b=c', filter: 'new', f: 'age:60-600' }));
  expect(choiceOfList(name)).toEqual({ filter: 'new', q: 'a & b=c', f: 'age:60-600' });
});

test.each([
  '',
  'f=',
  'f=age%3A60-600&filter=new',
  'filter=newest',
  'q=%',
  'q=a%20b%20',
  'sort=price',
  'filter=new&x=1',
])('a text that is no name of a list: %j', (name) => expect(choiceOfList(name)).toBeNull());
