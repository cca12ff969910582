import { screen, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { Route } from 'wouter';
import { configCalls } from '../../common/client-config/http.ts';
import { fakeAddress, fakeSignature, localConfig } from '../chain/testing/fake-chain.ts';
import { fakeServerPerTest, json } from '../testing/fake-server.ts';
import { renderWithApp } from '../testing/render.tsx';
import AccountPage from './account-page.tsx';
import TransactionPage from './transaction-page.tsx';

const server = fakeServerPerTest();
const [payer, receiver, mint] = [fakeAddress(1), fakeAddress(2), fakeAddress(3)];
const signature = fakeSignature(1);
/** Results of the node by method; a missing one is refused. */
let results: Record<string, unknown>;

beforeEach(() => {
  results = {};
  server.answer(configCalls.get, { chain: localConfig, botUsername: null });
  const toServer = fetch;
  vi.stubGlobal('fetch', async (input: string, init?: RequestInit) => {
    if (!String(input).startsWith(localConfig.rpcUrl)) return toServer(input, init);
    const { method, params } = JSON.parse(String(init?.body));
    const isOther = params[1]?.programId?.startsWith('Tokenz');
    const result = isOther ? { value: [] } : results[method];
    return json(result === undefined ? { error: { code: -32602, message: `${method}: Invalid param` } } : { result });
  });
});

const open = (path: string) =>
  renderWithApp(
    <>
      <Route path="/app/explorer/tx/:signature" component={TransactionPage} />
      <Route path="/app/explorer/address/:address" component={AccountPage} />
    </>,
    { path },
  );

const transfer = {
  slot: 12,
  blockTime: 1_790_000_000,
  version: 0,
  transaction: {
    signatures: [signature],
    message: {
      accountKeys: [
        { pubkey: payer, signer: true, writable: true },
        { pubkey: receiver, signer: false, writable: true },
      ],
      instructions: [
        {
          programId: '11111111111111111111111111111111',
          program: 'system',
          parsed: { type: 'transfer', info: { source: payer, destination: receiver, lamports: 1_500_000_000 } },
        },
      ],
    },
  },
  meta: {
    err: null,
    fee: 5_000,
    computeUnitsConsumed: 150,
    preBalances: [2_000_005_000, 0],
    postBalances: [500_000_000, 1_500_000_000],
    preTokenBalances: [],
    postTokenBalances: [{ accountIndex: 1, mint, owner: receiver, uiTokenAmount: { amount: '2500000', decimals: 6 } }],
    innerInstructions: [],
    logMessages: ['Program 11111111111111111111111111111111 success'],
  },
};

const rowOf = async (table: string, text: string) => {
  const rows = within(await screen.findByRole('table', { name: table })).getAllByRole('row');
  return rows.find((row) => row.textContent.includes(text))?.textContent;
};

test('a transaction shows its result, instructions, balances before and after, and its log', async () => {
  results.getTransaction = transfer;
  open(`/app/explorer/tx/${signature}`);
  expect(await screen.findByText('Success')).toBeVisible();
  expect(screen.getByText('0.000005 SOL')).toBeVisible();
  expect(screen.getByText('transfer')).toBeVisible();
  expect(await rowOf('Balances in SOL', '+1.5')).toContain('0 SOL1.5 SOL+1.5');
  expect(await rowOf('Token balances', '+2.5')).toContain('02.5+2.5');
  expect(screen.getByText('Program 11111111111111111111111111111111 success')).toBeVisible();
  const [link] = screen.getAllByRole('link', { name: receiver });
  expect(link).toHaveAttribute('href', `/app/explorer/address/${receiver}`);
});

test('a failed transaction shows its error', async () => {
  results.getTransaction = {
    ...transfer,
    meta: { ...transfer.meta, err: { InstructionError: [0, { Custom: 6002 }] } },
  };
  open(`/app/explorer/tx/${signature}`);
  expect(await screen.findByText('Failed')).toBeVisible();
  expect(screen.getByText('{"InstructionError":[0,{"Custom":6002}]}')).toBeVisible();
});

test('an unknown transaction is not on this chain, and a refused one shows the reason of the node', async () => {
  results.getTransaction = null;
  const first = open(`/app/explorer/tx/${signature}`);
  expect(await screen.findByText('Not on this chain')).toBeVisible();
  first.unmount();
  delete results.getTransaction;
  open('/app/explorer/tx/nonsense');
  expect(await screen.findByText('getTransaction: Invalid param')).toBeVisible();
});

test('a response that is none is a failure, not a page', async () => {
  results.getTransaction = { slot: 'twelve' };
  open(`/app/explorer/tx/${signature}`);
  expect(await screen.findByText('The transaction cannot be read')).toBeVisible();
});

test('an account shows its balance, tokens and transactions; an address without one says so', async () => {
  const held = { data: { parsed: { info: { mint, tokenAmount: { amount: '2500000', decimals: 6 } } } } };
  results.getAccountInfo = {
    value: {
      lamports: 1_500_000_000,
      owner: '11111111111111111111111111111111',
      executable: false,
      space: 0,
      data: ['', 'base64'],
    },
  };
  results.getTokenAccountsByOwner = { value: [] };
  results.getSignaturesForAddress = [{ signature, slot: 12, blockTime: 1_790_000_000, err: null }];
  const first = open(`/app/explorer/address/${receiver}`);
  expect(await screen.findByText('1.5 SOL')).toBeVisible();
  expect(screen.getByText('This account owns no tokens.')).toBeVisible();
  expect(screen.getByRole('link', { name: `${signature.slice(0, 12)}…` })).toHaveAttribute(
    'href',
    `/app/explorer/tx/${signature}`,
  );
  first.unmount();
  results.getAccountInfo = { value: null };
  results.getTokenAccountsByOwner = { value: [{ pubkey: payer, account: held }] };
  open(`/app/explorer/address/${mint}`);
  expect(await screen.findByText('It holds nothing, so the chain has no account here.')).toBeVisible();
  expect(screen.getAllByText('2.5')).not.toHaveLength(0);
});
