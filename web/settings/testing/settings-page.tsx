import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { alertRuleCalls } from '../../../common/alerts/rules/http.ts';
import type { SessionUser } from '../../../common/auth/model.ts';
import { configCalls } from '../../../common/client-config/http.ts';
import { presetCalls } from '../../../common/presets/http.ts';
import { settingsCalls } from '../../../common/settings/http.ts';
import { alertSettingsSchema, defaultAlerts, type Settings } from '../../../common/settings/model.ts';
import { telegramCalls } from '../../../common/telegram/http.ts';
import { webhookCalls } from '../../../common/webhook/http.ts';
import { noBot, workingBot } from '../../telegram/testing/fixtures.ts';
import type { FakeServer } from '../../testing/fake-server.ts';
import { type Rendered, renderWithApp, sessionUser } from '../../testing/render.tsx';
import SettingsPage from '../settings-page.tsx';

/** The settings of a new user. */
export const defaultSettings: Settings = {
  wallet: { walletAddress: null, hasKey: false, savedAt: null },
  telegramUsername: null,
  alerts: defaultAlerts,
};

interface Opening {
  settings?: Settings;
  session?: Partial<SessionUser>;
  botUsername?: string | null;
}

/** Opens the page with a server that applies changes. */
export async function openSettings(server: FakeServer, opening: Opening = {}): Promise<Rendered> {
  const { settings = defaultSettings, session, botUsername = 'mintwatch_bot' } = opening;
  server.answer(configCalls.get, { chain: null, botUsername });
  server.answer(telegramCalls.status, botUsername === null ? noBot : { ...workingBot, botUsername });
  server.answer(telegramCalls.link, { linked: null });
  server.answer(alertRuleCalls.list, []);
  server.answer(presetCalls.list, []);
  server.answer(webhookCalls.get, null);
  server.answer(settingsCalls.get, settings);
  server.answer(settingsCalls.change, ({ body }) => {
    const { walletAddress, telegramUsername, alerts } = settingsCalls.change.body.parse(body);
    return {
      wallet: walletAddress ? { walletAddress, hasKey: false, savedAt: '2026-02-03T04:05:06.000Z' } : settings.wallet,
      telegramUsername: telegramUsername ?? settings.telegramUsername,
      alerts: alertSettingsSchema.parse({ ...settings.alerts, ...alerts }),
    };
  });
  const rendered = renderWithApp(<SettingsPage />, { path: '/app/settings', session: sessionUser(session) });
  await screen.findByRole('tablist');
  return rendered;
}

export const openTab = (name: string) => userEvent.click(screen.getByRole('tab', { name }));
