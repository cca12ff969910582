import { screen } from '@testing-library/react';
import type { Rule } from '../../../common/rules/model.ts';
import { serveRules } from '../../auto-buy/testing/fixtures.ts';
import type { FakeServer } from '../../testing/fake-server.ts';
import { USER_ID } from '../../testing/page.ts';
import { type Rendered, renderWithApp, sessionUser } from '../../testing/render.tsx';
import RulesPage from '../rules-page.tsx';

/** Opens the page of the signed-in user. */
export function openPage(path = '/app/auto-buy'): Rendered {
  return renderWithApp(<RulesPage />, { path, session: sessionUser({ id: USER_ID }) });
}

/** Serves rules, opens the page and waits for their cards. Returns the served rules with the page. */
export async function openWith(server: FakeServer, ...rules: Rule[]): Promise<Rendered & { rules: Rule[] }> {
  serveRules(server, rules);
  const rendered = openPage();
  for (const { name } of rules) await screen.findByRole('article', { name });
  return { ...rendered, rules };
}
