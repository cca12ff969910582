import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { presetCalls } from '../../../common/presets/http.ts';
import { type Facets, tokenCalls } from '../../../common/tokens/http.ts';
import { renderWithApp } from '../../testing/render.tsx';
import TokenListPage from '../list/list-page.tsx';
import { aged, answer, listServer, names, search } from '../testing/list-page.tsx';

const rest = listServer();

const facets: Facets = {
  total: 5_577,
  matching: 412,
  hidden: 321,
  recent: 9,
  fields: { holders: { unknown: 7, bounds: [0, 10, 20], bars: [3, 4] } },
  sources: [{ source: 'pump.fun', count: 40 }],
};

async function open(path = '/app/tokens') {
  answer(rest, [aged(1, { holderCount: 40 }), aged(2, { holderCount: 5 }), aged(3, { holderCount: null })]);
  rest.answer(tokenCalls.facets, facets);
  rest.answer(presetCalls.list, []);
  const rendered = renderWithApp(<TokenListPage />, { path });
  await screen.findByRole('table', { name: 'Tokens' });
  return rendered;
}

async function openDrawer() {
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: /^Filters/ }));
  const drawer = within(await screen.findByRole('dialog', { name: 'Filters' }));
  return { user, drawer };
}

test('limits the list beside it, in the address, and shows what the server counts', async () => {
  await open();
  const { user, drawer } = await openDrawer();
  expect(await drawer.findByText('412 of 5,577 match')).toBeVisible();
  expect(drawer.getByText(/9 detected in the last 10 min match now/)).toBeVisible();
  expect(drawer.getByText('hides 321')).toBeVisible();
  await user.type(drawer.getByRole('textbox', { name: 'Holders, at least' }), '30');
  await waitFor(() => expect(names()).toEqual(['Token 1']));
  expect(rest.requests.findLast(({ path }) => path === tokenCalls.list.path)?.query.get('f')).toBe('holders:30-');
  expect(screen.getByRole('button', { name: 'Filters, 1 limit set' })).toBeVisible();
  await user.click(drawer.getByRole('button', { name: 'Clear' }));
  await waitFor(() => expect(names()).toEqual(['Token 1', 'Token 2', 'Token 3']));
  expect(drawer.getByRole('textbox', { name: 'Holders, at least' })).toHaveValue('');
});

test('a typed limit counts at once when the drawer closes', async () => {
  await open();
  const { user, drawer } = await openDrawer();
  await user.type(await drawer.findByRole('textbox', { name: 'Holders, at least' }), '30');
  await user.type(drawer.getByRole('textbox', { name: 'With one of these words' }), 'token{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.getByRole('button', { name: 'Filters, 2 limits set' })).toBeVisible();
});

test('Clear takes away typed texts that do not count yet', async () => {
  await open();
  const { user, drawer } = await openDrawer();
  const words = await drawer.findByRole('textbox', { name: 'Without these words' });
  const field = drawer.getByRole('textbox', { name: 'Holders, at least' });
  await user.type(words, Array.from({ length: 21 }, (_, at) => `w${at}`).join(' '));
  expect(drawer.getByRole('alert')).toHaveTextContent('This has more than 20 words.');
  await user.type(field, 'many');
  await user.click(drawer.getByRole('button', { name: 'Clear' }));
  expect(field).toHaveValue('');
  expect(words).toHaveValue('');
  expect(rest.requests.some(({ query }) => query.has('f') || query.has('exclude'))).toBe(false);
});

test('a figure stays while the drawer is open, also once no token passes the other limits', async () => {
  await open();
  const { user, drawer } = await openDrawer();
  await drawer.findByText('412 of 5,577 match');
  rest.answer(tokenCalls.facets, { ...facets, matching: 0, fields: {} });
  await user.type(drawer.getByRole('textbox', { name: 'With one of these words' }), 'zebra{Enter}');
  await drawer.findByText('0 of 5,577 match');
  expect(drawer.getByRole('textbox', { name: 'Holders, at least' })).toBeVisible();
  expect(drawer.queryByRole('textbox', { name: 'Curve, %, at least' })).toBeNull();
});

test('offers every figure when the limits of the link leave no token', async () => {
  await open('/app/tokens?f=holders:30-');
  rest.answer(tokenCalls.facets, { ...facets, matching: 0, fields: {} });
  const { drawer } = await openDrawer();
  await drawer.findByText('0 of 5,577 match');
  expect(drawer.getByRole('textbox', { name: 'Curve, %, at least' })).toBeVisible();
});

test('Escape in the search box clears the search, and leaves the drawer open', async () => {
  await open('/app/tokens?q=token');
  const { user } = await openDrawer();
  await user.click(search());
  await user.keyboard('{Escape}');
  await waitFor(() => expect(search()).toHaveValue(''));
  expect(screen.getByRole('dialog', { name: 'Filters' })).toBeVisible();
});

test('offers no figure that no source gives', async () => {
  await open();
  const { drawer } = await openDrawer();
  await drawer.findByText('412 of 5,577 match');
  expect(drawer.queryByRole('textbox', { name: 'Curve, %, at least' })).toBeNull();
});

test('a bound without meaning is named, and limits nothing', async () => {
  await open();
  const { user, drawer } = await openDrawer();
  await user.type(await drawer.findByRole('textbox', { name: 'Holders, at least' }), 'many');
  expect(drawer.getByRole('alert')).toHaveTextContent('This is no figure. Write for example 1.5K.');
  expect(drawer.getByRole('textbox', { name: 'Holders, at least' })).toBeInvalid();
  expect(drawer.getByRole('textbox', { name: 'Holders, at most' })).toBeValid();
  expect(rest.requests.some(({ query }) => query.has('f'))).toBe(false);
});

test('Escape closes it and returns the focus', async () => {
  await open();
  const { user } = await openDrawer();
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.getByRole('button', { name: 'Filters' })).toHaveFocus();
});

test('a link with nonsense opens the list with the valid parts, and names the rest', async () => {
  await open('/app/tokens?f=holders:30-,halo:1-&sort=newest');
  expect(names()).toEqual(['Token 1']);
  expect(screen.getByRole('note')).toHaveTextContent('halo:1-, sort=newest');
  await userEvent.setup().click(screen.getByRole('button', { name: 'Remove them' }));
  await waitFor(() => expect(screen.queryByRole('note')).toBeNull());
  expect(names()).toEqual(['Token 1']);
});
