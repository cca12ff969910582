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

/** A wide window in front of a server that knows its totals; `answer` gives it tokens. */
export async function listServer(): Promise<FakeServer> {
  await page.viewport(1280, 800);
  const rest = fakeServer();
  rest.answer(tokenCalls.stats, stats());
  rest.answer(watchlistCalls.list, []);
  return rest;
}

const feed = { 'X-Feed-Epoch': 'e', 'X-Feed-Seq': '5' };

/** A token that is so many minutes old now; as many as its number unless told otherwise. */
export function aged(number: number, fields: Partial<Token> = {}, minutes: number = number): Token {
  const createdAt = new Date(Date.now() - minutes * 60_000).toISOString();
  return token(number, { createdAt, detectedAt: createdAt, ...fields });
}

/** Has the server answer with these tokens, a page at a time, and search them by the start of their name. */
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

/** The page, once it shows its table. */
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

/** An event of the feed, painted at once. */
export function tell({ store }: Rendered, entry: FeedEntry): void {
  const live = liveOf(store);
  live.model.event(entry);
  act(() => live.writer.flush());
}

/** Rows paint a second time when they have subscribed to their token: waits until nothing paints any more, and forgets it. */
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
