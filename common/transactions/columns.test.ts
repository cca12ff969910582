import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { csvColumns, csvRow, plainDecimal, transactionStatusName } from './columns.ts';
import type { Transaction } from './model.ts';

const transaction: Transaction = {
  id: '64b000000000000000000001',
  type: 'transfer_out',
  status: 'confirmed',
  token: null,
  amount: 0.000000001,
  price: null,
  fee: 0.000005,
  profit: null,
  counterparty: 'So11111111111111111111111111111111111111112',
  signature: 'sig',
  cluster: 'local',
  orderId: null,
  failure: null,
  createdAt: '2026-11-21T04:05:06.789Z',
  updatedAt: '2026-11-21T04:05:08.000Z',
};

describe('a row of the exported list', () => {
  test('has token, type, amount, price, status and date [S3-50]', () => {
    const bought = { address: 'Mint', name: 'Coin', symbol: 'CN' };
    const row = csvRow({ ...transaction, type: 'buy', token: bought, amount: 1.5, price: 1.25e-7 });
    expect(row).toMatchObject({
      Token: 'CN',
      'Token address': 'Mint',
      Type: 'Buy',
      'Amount (SOL)': '1.5',
      'Price (SOL)': '0.000000125',
      Status: 'Confirmed',
      Date: '2026-11-21T04:05:06.789Z',
    });
  });

  test('names a coin without a symbol by its name', () => {
    const unnamed = { address: 'Mint', name: 'Coin', symbol: '' };
    expect(csvRow({ ...transaction, type: 'buy', token: unnamed })).toMatchObject({ Token: 'Coin' });
  });

  test('writes exact decimals without an exponent, and empty strings for unknown values', () => {
    expect(csvRow(transaction)).toEqual({
      Date: '2026-11-21T04:05:06.789Z',
      Type: 'Transfer out',
      Status: 'Confirmed',
      Token: 'SOL',
      'Token address': '',
      'Amount (SOL)': '0.000000001',
      'Price (SOL)': '',
      'Fee (SOL)': '0.000005',
      'Profit (SOL)': '',
      Counterparty: 'So11111111111111111111111111111111111111112',
      Signature: 'sig',
      Network: 'Local chain',
      Failure: '',
      Updated: '2026-11-21T04:05:08.000Z',
    });
    expect(csvRow({ ...transaction, type: 'sell', profit: -2e-9 })).toMatchObject({ 'Profit (SOL)': '-0.000000002' });
    expect(csvRow({ ...transaction, amount: null, fee: null })).toMatchObject({ 'Amount (SOL)': '', 'Fee (SOL)': '' });
  });

  test('has every column, in order', () => {
    expect(Object.keys(csvRow(transaction))).toEqual([...csvColumns]);
  });
});

describe('the label of a status', () => {
  test.each([
    ['confirmed', 'Confirmed'],
    ['pending', 'Pending'],
    ['failed', 'Failed'],
    ['dropped', 'Unknown'],
    ['', 'Unknown'],
  ])('%j is %s [S3-51]', (status, name) => {
    expect(transactionStatusName(status)).toBe(name);
  });
});

describe('a plain decimal', () => {
  test.each([
    [1.5e-9, '0.0000000015'],
    [-2e-7, '-0.0000002'],
    [1e21, '1000000000000000000000'],
    [1.25e22, '12500000000000000000000'],
    [0.1, '0.1'],
    [0, '0'],
  ])('%d is %s', (value, text) => {
    expect(plainDecimal(value)).toBe(text);
  });

  test('formats any number exactly and without an exponent', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const text = plainDecimal(value);
        expect(text).toMatch(/^-?\d+(\.\d+)?$/);
        expect(Number(text)).toBe(value === 0 ? 0 : value);
      }),
    );
  });
});
