import { screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { renderWithApp } from '../testing/render.tsx';
import { UserGuideTab } from './user-guide-tab.tsx';

afterEach(() => vi.unstubAllGlobals());

test('has three cards, each opening its form of the guide in a new window, and the licences below [S2.5-13]', async () => {
  const requests: unknown[] = [];
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    requests.push([init.method, address]);
    return new Response(null, { status: 200 });
  });
  renderWithApp(<UserGuideTab />);
  const links = screen
    .getAllByRole('link')
    .map((link) => [link.textContent, link.getAttribute('href'), link.getAttribute('target')]);
  expect(links).toEqual([
    ['Download PDF', '/api/docs/user-guide/pdf', '_blank'],
    ['View in Browser', '/api/docs/user-guide/html', '_blank'],
    ['View Source', '/api/docs/user-guide/markdown', '_blank'],
    ['packages', '/licences/packages.txt', '_blank'],
    ['fonts', '/licences/fonts.txt', '_blank'],
  ]);
  expect(requests).toHaveLength(3);
  expect(screen.queryByText('Error loading documentation')).toBeNull();
});

test.each([
  [
    'the server has not',
    async (address: string) => new Response(null, { status: address.endsWith('pdf') ? 404 : 200 }),
  ],
  ['cannot be asked for', async () => Promise.reject(new TypeError('Failed to fetch'))],
])('reports a file that %s [S2.5-17]', async (_what, fetchFile) => {
  vi.stubGlobal('fetch', fetchFile);
  renderWithApp(<UserGuideTab />);
  expect(await screen.findByText('Error loading documentation')).toBeInTheDocument();
  expect(screen.getByText('Could not verify if documentation files are available')).toBeInTheDocument();
  expect(screen.getAllByText('This file is not available right now.').length).toBeGreaterThan(0);
});
