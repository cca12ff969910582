import { act, screen, waitFor, within } from '@testing-library/react';
import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { tokenCalls } from '../../../common/tokens/http.ts';
import type { Token } from '../../../common/tokens/model.ts';
import { watchlistCalls } from '../../../common/watchlists/http.ts';
import { liveOf } from '../../live/live.ts';
import type { FeedEntry } from '../../live/model/events.ts';
import { stats, token } from '../../live/testing/build.ts';
import { type FakeServer, fakeServer } from '../../testing/fake-server.ts';
import { type Rendered, renderWithApp } from '../../testing/render.tsx';
import TokenListPage from '../list/list-page.tsx';

/** Opens a wide window with a fake server; `answer` sets its tokens. */
export async function listServer(): Promise<FakeServer> {
  await page.viewport(1280, 800);
  const rest = fakeServer();
  rest.answer(tokenCalls.stats, stats());
  rest.answer(watchlistCalls.list, []);
  return rest;
}

const feed = { 'X-Feed-Epoch': 'e', 'X-Feed-Seq': '5' };

/** Creates a token of this age in minutes, by default its number. */
export function aged(number: number, fields: Partial<Token> = {}, minutes: number = number): Token {
  const createdAt = new Date(Date.now() - minutes * 60_000).toISOString();
  return token(number, { createdAt, detectedAt: createdAt, ...fields });
}

/** Sets the server's tokens, in pages, searched by the start of their name. */
export function answer(
  rest: FakeServer,
  tokens: Token[],
  more: { runners?: Token[]; mightRun?: Token[]; total?: number } = {},
): void {
  const total = { 'X-Total-Count': String(more.total ?? tokens.length) };
  rest.answer(
    tokenCalls.list,
    ({ query }) => {
      const text = query.get('q')?.toLowerCase();
      const before = Number(query.get('before')?.split('_')[0] ?? Number.POSITIVE_INFINITY);
      return tokens
        .filter((one) => Date.parse(one.createdAt ?? '') < before)
        .filter((one) => text === undefined || one.name?.toLowerCase().startsWith(text))
        .slice(0, Number(query.get('limit')));
    },
    { ...feed, ...total },
  );
  rest.answer(tokenCalls.runners, more.runners ?? [], feed);
  rest.answer(tokenCalls.mightRun, { tokens: more.mightRun ?? [] }, feed);
}

/** Renders the page and waits for its table. */
export async function shown(onPaint?: (address: string) => void): Promise<Rendered> {
  const rendered = renderWithApp(<TokenListPage {...(onPaint ? { onPaint } : {})} />, { path: '/app/tokens' });
  await screen.findByRole('table', { name: 'Tokens' });
  return rendered;
}

export const table = () => within(screen.getByRole('table', { name: 'Tokens' }));
export const names = () =>
  table()
    .getAllByRole('link')
    .map((link) => link.getAttribute('aria-label')?.replace('Details of ', ''));
export const search = () => screen.getByPlaceholderText('Search by name, symbol, or address...');

/** Applies an event of the feed and paints it. */
export function receive({ store }: Rendered, entry: FeedEntry): void {
  const live = liveOf(store);
  live.model.event(entry);
  act(() => live.writer.flush());
}

/** Waits until no row repaints, and clears `painted`: rows paint a second time after they have subscribed. */
export async function settled(painted: string[]): Promise<void> {
  await waitFor(
    () => {
      const paints = painted.splice(0).length;
      expect(paints).toBe(0);
    },
    { interval: 150 },
  );
}

export const added = (seq: number, one: Token): FeedEntry => ({ event: 'new-token', payload: { seq, token: one } });
