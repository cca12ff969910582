import { readFileSync } from 'node:fs';
import path from 'node:path';
import { runInNewContext } from 'node:vm';
import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createAppStore, StoreProvider } from '../store.ts';
import { THEME_KEY, useThemeOnPage } from './theme.ts';
import { ThemeToggle } from './theme-toggle.tsx';

/** The system's preferred color scheme, which a test can change. */
class FakeSystem extends EventTarget {
  matches = false;

  prefer(scheme: 'light' | 'dark'): void {
    this.matches = scheme === 'light';
    this.dispatchEvent(new Event('change'));
  }
}

let system: FakeSystem;

beforeEach(() => {
  system = new FakeSystem();
  vi.stubGlobal('matchMedia', () => system);
});
afterEach(() => {
  vi.unstubAllGlobals();
  delete document.documentElement.dataset.theme;
});

function Page() {
  useThemeOnPage();
  return <ThemeToggle />;
}

function open(): void {
  render(
    <StoreProvider store={createAppStore()}>
      <Page />
    </StoreProvider>,
  );
}

const painted = () => document.documentElement.dataset.theme;

test('offers Light, Dark and System; the default is dark [S2.2-06]', () => {
  system.prefer('light');
  open();
  expect(screen.getAllByRole('radio').map((radio) => radio.getAttribute('value'))).toEqual(['light', 'dark', 'system']);
  for (const name of ['Light', 'Dark', 'System']) expect(screen.getByRole('radio', { name })).toBeInTheDocument();
  expect(screen.getByRole('radio', { name: 'Dark' })).toBeChecked();
  expect(painted()).toBe('dark');
});

test('paints the page in the chosen theme; System follows the system [S2.2-06]', async () => {
  open();
  await userEvent.click(screen.getByRole('radio', { name: 'Light' }));
  expect(painted()).toBe('light');
  await userEvent.click(screen.getByRole('radio', { name: 'System' }));
  expect(painted()).toBe('dark');
  act(() => system.prefer('light'));
  expect(painted()).toBe('light');
  await userEvent.click(screen.getByRole('radio', { name: 'Dark' }));
  act(() => system.prefer('light'));
  expect(painted()).toBe('dark');
});

test("stores the choice under 'ui-theme' for the next visit [S2.2-07]", async () => {
  open();
  await userEvent.click(screen.getByRole('radio', { name: 'Light' }));
  expect(localStorage.getItem('ui-theme')).toBe('light');
});

test('starts with the stored choice, and with dark when that is invalid [S2.2-07]', () => {
  localStorage.setItem('ui-theme', 'light');
  open();
  expect(screen.getByRole('radio', { name: 'Light' })).toBeChecked();
  expect(painted()).toBe('light');
});

test('follows the choice of another tab', () => {
  open();
  act(() => {
    window.dispatchEvent(new StorageEvent('storage', { key: THEME_KEY, newValue: 'light' }));
  });
  expect(screen.getByRole('radio', { name: 'Light' })).toBeChecked();
  act(() => {
    window.dispatchEvent(new StorageEvent('storage', { key: THEME_KEY, newValue: 'mauve' }));
  });
  expect(painted()).toBe('dark');
});

describe('the script before the first paint', () => {
  const script = readFileSync(path.join(import.meta.dirname, '../public/theme.js'), 'utf8');

  function paintedFor(stored: string | null, systemIsLight: boolean): string | undefined {
    const page: { documentElement: { dataset: { theme?: string } } } = { documentElement: { dataset: {} } };
    const getItem = (key: string) => (key === THEME_KEY ? stored : null);
    runInNewContext(script, {
      document: page,
      localStorage: { getItem },
      matchMedia: (query: string) => ({ matches: query === '(prefers-color-scheme: light)' && systemIsLight }),
    });
    return page.documentElement.dataset.theme;
  }

  test.each([
    [null, true, 'dark'],
    ['dark', true, 'dark'],
    ['light', false, 'light'],
    ['system', true, 'light'],
    ['system', false, 'dark'],
    ['mauve', true, 'dark'],
  ])('paints for the stored %s, with a light system: %s, as %s [S2.2-07]', (stored, systemIsLight, theme) => {
    expect(paintedFor(stored, systemIsLight)).toBe(theme);
  });
});
