import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Search } from 'lucide-react';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { renderWithApp } from '../testing/render.tsx';
import { Button } from './button.tsx';
import { CopyAddress } from './copy-address.tsx';
import { DataTable } from './data-table.tsx';
import { Empty } from './empty.tsx';
import { Problem } from './problem.tsx';
import { RiskPill } from './risk-pill.tsx';
import { StatCard } from './stat-card.tsx';
import { Tabs } from './tabs.tsx';

const widthOf = (element: Element) => element.getBoundingClientRect().width;

test('a busy button keeps its width and its name, and takes no clicks', async () => {
  const onClick = vi.fn();
  const { rerender } = renderWithApp(<Button onClick={onClick}>Save everything</Button>);
  const button = screen.getByRole('button', { name: 'Save everything' });
  // The font loads with its first text, and widths differ until then.
  await document.fonts.ready;
  const width = widthOf(button);
  await userEvent.click(button);
  rerender(
    <Button onClick={onClick} busy>
      Save everything
    </Button>,
  );
  const busy = screen.getByRole('button', { name: 'Save everything' });
  expect(widthOf(busy)).toBe(width);
  expect(busy).toBeDisabled();
  await userEvent.click(busy, { pointerEventsCheck: 0 });
  expect(onClick).toHaveBeenCalledOnce();
});

test('a stat card shows a dash while its value is unknown, and keeps its height when it loads', async () => {
  const card = (value: string | null, spark?: number[]) => (
    <div className="inline-block" data-testid="around">
      <StatCard label="Total Tokens" value={value} spark={spark} />
    </div>
  );
  const { rerender } = renderWithApp(card(null));
  const box = () => screen.getByTestId('around').getBoundingClientRect();
  await document.fonts.ready;
  expect(screen.getByLabelText('Total Tokens: not known yet')).toHaveTextContent('–');
  const height = box().height;
  rerender(card('12', [1, 2, 3]));
  expect(screen.getByText('12')).toBeVisible();
  expect(box().height).toBe(height);
});

describe('the risk pill', () => {
  const shapeOf = (level: string) => document.querySelector(`[data-level="${level}"] svg`)?.innerHTML;

  test('differs between the levels in number, word, color and shape', () => {
    renderWithApp(
      <>
        <RiskPill scamProbability={12} known="90% known" />
        <RiskPill scamProbability={45} known="90% known" />
        <RiskPill scamProbability={88} known="90% known" />
        <RiskPill scamProbability={null} known="20% known" />
      </>,
    );
    const pills = ['Low Risk', 'Medium Risk', 'High Risk', 'Unknown'].map((level) => {
      const pill = document.querySelector(`[data-level="${level}"]`);
      return { text: pill?.textContent, colour: pill && getComputedStyle(pill).color, shape: shapeOf(level) };
    });
    expect(pills.map((pill) => pill.text)).toEqual([
      '12Low Risk90% known',
      '45Medium Risk90% known',
      '88High Risk90% known',
      '–Unknown20% known',
    ]);
    expect(new Set(pills.map((pill) => pill.colour)).size).toBe(4);
    expect(new Set(pills.map((pill) => pill.shape)).size).toBe(4);
  });

  test('is hatched when the risk is unknown, and only then', () => {
    renderWithApp(
      <>
        <RiskPill scamProbability={null} known="0% known" />
        <RiskPill scamProbability={0} known="100% known" />
      </>,
    );
    const imageOf = (level: string) => {
      const pill = document.querySelector(`[data-level="${level}"]`);
      return pill && getComputedStyle(pill).backgroundImage;
    };
    expect(imageOf('Unknown')).toContain('repeating-linear-gradient');
    expect(imageOf('Low Risk')).toBe('none');
  });

  test.each([
    [30, 'Low Risk'],
    [30.1, 'Medium Risk'],
    [70, 'Medium Risk'],
    [70.1, 'High Risk'],
  ])('a risk of %d is %s [S4-03]', (risk, level) => {
    renderWithApp(<RiskPill scamProbability={risk} known="100% known" />);
    expect(document.querySelector('[data-level]')).toHaveAttribute('data-level', level);
  });
});

test('tabs carry their counts and are reached by the arrow keys', async () => {
  const onTab = vi.fn();
  renderWithApp(
    <Tabs
      label="Lists"
      onTab={onTab}
      tab="one"
      tabs={[
        { id: 'one', label: 'Newest', count: 1234, content: <p>first</p> },
        { id: 'two', label: 'Runners', count: null, content: <p>second</p> },
      ]}
    />,
  );
  expect(screen.getByRole('tab', { name: 'Newest 1,234' })).toHaveAttribute('aria-selected', 'true');
  expect(screen.getByRole('tab', { name: 'Runners –' })).toBeVisible();
  await userEvent.click(screen.getByRole('tab', { name: 'Newest 1,234' }));
  await userEvent.keyboard('{ArrowRight}');
  expect(onTab).toHaveBeenLastCalledWith('two');
});

test('the chosen tab is fully visible where the list is too narrow for all', () => {
  const ids = ['one', 'two', 'three', 'four', 'five'];
  renderWithApp(
    <div style={{ width: 200 }}>
      <Tabs label="Lists" tab="four" tabs={ids.map((id) => ({ id, label: `The tab ${id}`, content: id }))} />
    </div>,
  );
  const list = screen.getByRole('tablist').getBoundingClientRect();
  const chosen = screen.getByRole('tab', { selected: true }).getBoundingClientRect();
  expect(chosen.left).toBeGreaterThanOrEqual(list.left);
  expect(chosen.right).toBeLessThanOrEqual(list.right + 1);
});

test('an address is shortened, and a click copies all of it', async () => {
  const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  onTestFinished(() => writeText.mockRestore());
  renderWithApp(<CopyAddress address="So11111111111111111111111111111111111111112" label="creator address" />);
  expect(screen.getByText('So1111…1112')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: /Copy creator address/ }));
  expect(writeText).toHaveBeenCalledWith('So11111111111111111111111111111111111111112');
  expect(await screen.findByRole('button', { name: 'Copied creator address' })).toBeVisible();

  writeText.mockRejectedValue(new Error('not allowed'));
  await userEvent.click(screen.getByRole('button'));
  expect(await screen.findByText('Failed to copy to clipboard.')).toBeInTheDocument();
});

test('a problem shows the failure, its start and Retry; an empty state shows its action', async () => {
  const onRetry = vi.fn();
  const since = new Date(2026, 0, 10, 14, 3, 27);
  renderWithApp(
    <>
      <Problem title="Error Loading Tokens" text="Please try again." since={since.getTime()} onRetry={onRetry} />
      <Empty icon={Search} title="No Matching Tokens" action={<Button>Clear</Button>} />
    </>,
  );
  expect(screen.getByRole('alert')).toHaveTextContent('Error Loading TokensPlease try again.Since 14:03:27Retry');
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(onRetry).toHaveBeenCalledOnce();
  expect(screen.getByText('No Matching Tokens')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Clear' })).toBeVisible();
});

test('a pressed tab has no ring of the keyboard, and gets it with the arrow keys', async () => {
  const ids = ['one', 'two', 'three'];
  renderWithApp(<Tabs label="Lists" tabs={ids.map((id) => ({ id, label: `The tab ${id}`, content: id }))} />);
  const ring = (name: string) => getComputedStyle(screen.getByRole('tab', { name })).outlineWidth;
  await userEvent.click(screen.getByRole('tab', { name: 'The tab two' }));
  expect(screen.getByRole('tab', { name: 'The tab two' })).toHaveFocus();
  expect(ring('The tab two')).toBe('0px');
  await userEvent.keyboard('{ArrowRight}');
  expect(screen.getByRole('tab', { name: 'The tab three' })).toHaveFocus();
  expect(ring('The tab three')).not.toBe('0px');
});

test('a stacked table of limited height scrolls within it', () => {
  const rows = Array.from({ length: 40 }, (_, at) => ({ id: `row ${at}` }));
  renderWithApp(
    <DataTable
      label="Long"
      look="stacked"
      box="max-h-40"
      rows={rows}
      rowId={({ id }) => id}
      columns={[{ id: 'id', label: 'Id', cell: ({ id }) => id }]}
    />,
  );
  const box = screen.getByRole('table', { name: 'Long' }).parentElement;
  expect(box?.clientHeight).toBe(160);
  expect(box?.scrollHeight).toBeGreaterThan(600);
  expect(getComputedStyle(box ?? document.body).overflowY).toBe('auto');
});
