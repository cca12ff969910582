import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect } from 'vitest';
import { page } from 'vitest/browser';
import { judgeFilter, parseFilter } from '../../../common/tokens/filters.ts';
import { listChoiceSchema, tokenCalls } from '../../../common/tokens/http.ts';
import { passesFilter } from '../../../common/tokens/lists.ts';
import type { Token } from '../../../common/tokens/model.ts';
import { compareRanks, formatCursor, parseCursor, rankOf } from '../../../common/tokens/order.ts';
import { watchlistCalls } from '../../../common/watchlists/http.ts';
import { liveOf } from '../../live/live.ts';
import type { FeedEntry } from '../../live/model/events.ts';
import { stats, token } from '../../live/testing/build.ts';
import { type FakeServer, fakeServerPerTest, json } from '../../testing/fake-server.ts';
import { type Rendered, renderWithApp } from '../../testing/render.tsx';
import { matches } from '../list/filters.ts';
import TokenListPage from '../list/list-page.tsx';

/** Opens a wide window with a fake server for each test of a file; `answer` sets its tokens. Called once, outside of the tests. */
export function listServer(): FakeServer {
  const rest = fakeServerPerTest();
  beforeEach(async () => {
    await page.viewport(1280, 800);
    rest.answer(tokenCalls.stats, stats());
    rest.answer(watchlistCalls.list, []);
  });
  return rest;
}

const feed = { 'X-Feed-Epoch': 'e', 'X-Feed-Seq': '5' };

/** Creates a token of this age in minutes, by default its number. */
export function aged(number: number, fields: Partial<Token> = {}, minutes: number = number): Token {
  const createdAt = new Date(Date.now() - minutes * 60_000).toISOString();
  return token(number, { createdAt, detectedAt: createdAt, ...fields });
}

/** Sets the server's tokens; it filters, searches, sorts and pages them like the server. `total`: number of all tokens. */
export function answer(rest: FakeServer, tokens: Token[], { total }: { total?: number } = {}): void {
  rest.reply(tokenCalls.list, ({ query }) => {
    const choice = listChoiceSchema.strip().parse(Object.fromEntries(query));
    const { filter, q, sort = 'detected', order = 'desc', ...limits } = choice;
    const parsed = parseFilter(limits);
    const before = query.get('before');
    const after = before === null ? null : parseCursor(before);
    const chosen = tokens
      .filter((one) => filter === undefined || passesFilter(filter, one, Date.now()))
      .filter((one) => q === undefined || matches(one, q))
      .filter((one) => judgeFilter(parsed, one, { now: Date.now(), solUsd: null }) === 'match')
      .toSorted((a, b) => compareRanks(rankOf(a, sort), rankOf(b, sort), order));
    const left = chosen.filter((one) => after === null || compareRanks(rankOf(one, sort), after, order) > 0);
    const page = left.slice(0, Number(query.get('limit')));
    const last = page.at(-1);
    const isPlain = filter === undefined && q === undefined && Object.keys(limits).length === 0;
    return json(page, 200, {
      ...feed,
      'X-Total-Count': String(isPlain ? (total ?? chosen.length) : chosen.length),
      ...(last !== undefined && left.length > page.length
        ? { 'X-Next-Cursor': formatCursor(rankOf(last, sort), sort === 'detected') }
        : {}),
    });
  });
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
