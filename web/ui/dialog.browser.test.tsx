import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type ReactNode, useState } from 'react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { renderWithApp } from '../testing/render.tsx';
import { Button } from './button.tsx';
import { Confirm } from './confirm.tsx';
import { Dialog } from './dialog.tsx';
import { toast } from './toast-store.ts';

afterEach(async () => {
  await page.viewport(1280, 800);
});

/** A button that opens the dialog rendered by `children`. */
function Opener({ children }: { children: (open: boolean, close: () => void) => ReactNode }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Open</Button>
      {children(open, () => setOpen(false))}
    </>
  );
}

async function opened(busy = false): Promise<HTMLElement> {
  renderWithApp(
    <Opener>
      {(open, close) => (
        <Dialog
          open={open}
          onClose={close}
          title="New Rule"
          description="What to buy."
          busy={busy}
          footer={<Button>Save</Button>}
        >
          <input aria-label="Name" />
        </Dialog>
      )}
    </Opener>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Open' }));
  return screen.findByRole('dialog', { name: 'New Rule' });
}

describe('a dialog', () => {
  test('has a name, keeps the focus inside, and returns it', async () => {
    const dialog = await opened();
    expect(dialog).toHaveAccessibleDescription('What to buy.');
    expect(dialog.contains(document.activeElement)).toBe(true);
    const stops = new Set<string>();
    for (let at = 0; at < 6; at++) {
      await userEvent.tab();
      expect(dialog.contains(document.activeElement)).toBe(true);
      stops.add(document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '');
    }
    expect([...stops].sort()).toEqual(['Close', 'Name', 'Save']);
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(screen.getByRole('button', { name: 'Open' })).toHaveFocus();
  });

  test('stays open while busy', async () => {
    await opened(true);
    await userEvent.keyboard('{Escape}');
    expect(screen.getByRole('button', { name: 'Close' })).toBeDisabled();
    // Not `toBeVisible`: it may still be fading in.
    expect(screen.getByRole('dialog')).toHaveAttribute('data-state', 'open');
  });

  test('stays open when a toast above it is closed', async () => {
    await opened();
    act(() => void toast({ title: 'Saved' }));
    await page.getByRole('region', { name: 'Notifications (F8)' }).getByRole('button', { name: 'Close' }).click();
    await waitFor(() => expect(screen.queryByText('Saved')).toBeNull());
    expect(screen.getByRole('dialog')).toHaveAttribute('data-state', 'open');
  });

  test('fits a small screen', async () => {
    await page.viewport(360, 480);
    const box = (await opened()).getBoundingClientRect();
    expect(box.left).toBeGreaterThanOrEqual(12);
    expect(box.right).toBeLessThanOrEqual(348);
    expect(box.bottom).toBeLessThanOrEqual(468);
  });
});

describe('a confirmation', () => {
  const ask = (busy: boolean, calls: { onConfirm: () => void; onCancel: () => void }) => (
    <Confirm open title="Delete this rule?" verb="Delete" busy={busy} {...calls}>
      It buys nothing any more.
    </Confirm>
  );

  test('names the consequence; Escape and Cancel do nothing, the verb confirms', async () => {
    const calls = { onConfirm: vi.fn(), onCancel: vi.fn() };
    renderWithApp(ask(false, calls));
    const question = screen.getByRole('alertdialog', { name: 'Delete this rule?' });
    expect(question).toHaveAccessibleDescription('It buys nothing any more.');
    // The harmless button has the focus.
    expect(screen.getByRole('button', { name: 'Cancel' })).toHaveFocus();
    await userEvent.keyboard('{Escape}');
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(calls.onCancel).toHaveBeenCalledTimes(2);
    expect(calls.onConfirm).not.toHaveBeenCalled();
    await userEvent.click(screen.getByRole('button', { name: 'Delete' }));
    expect(calls.onConfirm).toHaveBeenCalledOnce();
  });

  test('stays open while busy, and takes no second click', async () => {
    const calls = { onConfirm: vi.fn(), onCancel: vi.fn() };
    renderWithApp(ask(true, calls));
    await userEvent.keyboard('{Escape}');
    await userEvent.click(screen.getByRole('button', { name: 'Delete' }), { pointerEventsCheck: 0 });
    expect(screen.getByRole('button', { name: 'Cancel' })).toBeDisabled();
    expect(calls.onCancel).not.toHaveBeenCalled();
    expect(calls.onConfirm).not.toHaveBeenCalled();
  });
});
