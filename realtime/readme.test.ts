import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { bitFields } from '../common/live/token-updates.ts';

test('the decoder for other clients has the fields of all bits, in their order', async () => {
  const text = await readFile(new URL('README.md', import.meta.url), 'utf8');
  const [, fields = ''] = /const fields = \[([^\]]+)\]/.exec(text) ?? [];
  expect([...fields.matchAll(/'(\w+)'/g)].map(([, field]) => field)).toEqual([...bitFields]);
});
