import { screen } from '@testing-library/react';
import type { Strategy } from '../../../common/strategies/model.ts';
import type { Session } from '../../auth/session.ts';
import { serveStrategies } from '../../auto-buy/testing/fixtures.ts';
import type { FakeServer } from '../../testing/fake-server.ts';
import { USER_ID } from '../../testing/page.ts';
import { type Rendered, renderWithApp, sessionUser } from '../../testing/render.tsx';
import StrategiesPage from '../strategies-page.tsx';

/** Opens the page, of the signed-in user unless another session is given. */
export function openPage(session: Session = sessionUser({ id: USER_ID })): Rendered {
  return renderWithApp(<StrategiesPage />, { path: '/app/auto-buy-strategies', session });
}

/** Serves strategies, opens the page and waits for their cards. Returns the served strategies with the page. */
export async function openWith(
  server: FakeServer,
  ...strategies: Strategy[]
): Promise<Rendered & { strategies: Strategy[] }> {
  serveStrategies(server, strategies);
  const rendered = openPage();
  for (const { name } of strategies) await screen.findByRole('article', { name });
  return { ...rendered, strategies };
}
