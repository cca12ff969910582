import Papa from 'papaparse';
import { expect, test } from 'vitest';
import { solText } from '../../common/tokens/units.ts';
import { csvColumns, csvRow } from '../../common/transactions/columns.ts';
import { csvOf } from '../http/export-button.tsx';
import { transaction } from './testing/fixtures.ts';

const format = { columns: csvColumns, toRow: csvRow };
const bought = (symbol: string) =>
  transaction(1, { type: 'buy', token: { address: 'Mint', name: null, symbol }, amount: 1e-9, price: 1.5e-9 });

test("the file parses back to the same rows, whatever the token's symbol", async () => {
  const given = [bought('Comma, "Quote"\nLine'), bought(''), transaction(3)];
  const { data, meta } = Papa.parse(await csvOf(given, format), { header: true });
  expect(meta.fields).toEqual([...csvColumns]);
  expect(data).toEqual(given.map(csvRow));
});

test.each(['=HYPERLINK("http://evil")', '+1', '-1+cmd', '-1-2', '=1\n2', '@SUM(A1)', '\t=1', '\r=1'])(
  'a token with the symbol %j is not a formula in a spreadsheet',
  async (symbol) => {
    const { data } = Papa.parse<Record<string, string>>(await csvOf([bought(symbol)], format), { header: true });
    expect(data[0]?.Token).toBe(`'${symbol}`);
  },
);

test('amounts are plain decimals', async () => {
  const { data } = Papa.parse<Record<string, string>>(await csvOf([bought('x')], format), { header: true });
  expect(data[0]).toMatchObject({ 'Amount (SOL)': '0.000000001', 'Price (SOL)': '0.0000000015' });
});

test('a loss is a number in a spreadsheet', async () => {
  const loss = { columns: ['Realised (SOL)'], toRow: (lamports: bigint) => ({ 'Realised (SOL)': solText(lamports) }) };
  expect(await csvOf([-1_244_571n, -2_000_000_000n], loss)).toBe('Realised (SOL)\r\n-0.001244571\r\n-2');
});
