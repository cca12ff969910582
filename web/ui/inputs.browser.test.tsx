import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { describe, expect, test, vi } from 'vitest';
import { renderWithApp } from '../testing/render.tsx';
import { DateTimeField, localInput } from './date-time-field.tsx';
import { Notice } from './notice.tsx';
import { SelectField } from './select.tsx';
import { onStep, Slider } from './slider.tsx';
import { Switch } from './switch.tsx';

describe('a slider', () => {
  function Liquidity({ onChange, start = 5 }: { onChange?: (value: number) => void; start?: number }) {
    const [value, setValue] = useState(start);
    const change = (next: number) => {
      setValue(next);
      onChange?.(next);
    };
    return (
      <Slider
        label="Liquidity"
        hint="The least there must be."
        value={value}
        onChange={change}
        min={1}
        max={10}
        step={0.5}
        unit="SOL"
        decimals={1}
      />
    );
  }
  const thumb = () => screen.getByRole('slider', { name: 'Liquidity' });
  const typed = () => screen.getByRole('textbox', { name: 'Liquidity, SOL' });

  test('moves by keys, a step at a time and to its ends', async () => {
    renderWithApp(<Liquidity />);
    expect(thumb()).toHaveAccessibleDescription('The least there must be.');
    thumb().focus();
    await userEvent.keyboard('{ArrowRight}');
    expect(typed()).toHaveValue('5.5');
    expect(thumb()).toHaveAttribute('aria-valuetext', '5.5 SOL');
    await userEvent.keyboard('{Home}');
    expect(typed()).toHaveValue('1.0');
    await userEvent.keyboard('{ArrowLeft}');
    expect(typed()).toHaveValue('1.0');
    await userEvent.keyboard('{End}');
    expect(typed()).toHaveValue('10.0');
  });

  test.each([
    ['7.5', '7.5'],
    ['7,3', '7.5'],
    ['99', '10.0'],
    ['-4', '1.0'],
    ['much', '5.0'],
    [' ', '5.0'],
  ])('applies the typed %j as %s', async (text, value) => {
    renderWithApp(<Liquidity />);
    await userEvent.clear(typed());
    await userEvent.type(typed(), text);
    await userEvent.tab();
    expect(typed()).toHaveValue(value);
    expect(thumb()).toHaveAttribute('aria-valuenow', String(Number(value)));
  });

  test('Enter applies the typed value before it submits the form', async () => {
    const onSubmit = vi.fn((event: { preventDefault: () => void }) => event.preventDefault());
    const onChange = vi.fn();
    renderWithApp(
      <form onSubmit={onSubmit}>
        <Liquidity onChange={onChange} />
        <button type="submit">Save</button>
      </form>,
    );
    await userEvent.clear(typed());
    await userEvent.type(typed(), '8{Enter}');
    expect(onChange).toHaveBeenLastCalledWith(8);
    expect(onSubmit).not.toHaveBeenCalled();
    await userEvent.keyboard('{Enter}');
    expect(onSubmit).toHaveBeenCalledOnce();
  });

  test('a value lies on a step without the noise of binary fractions', () => {
    expect(onStep(0.30000000000000004, { min: 0.1, max: 1, step: 0.1 })).toBe(0.3);
    expect(onStep(10.4, { min: 1, max: 10.25, step: 0.5 })).toBe(10.25);
  });
});

test('a select opens, moves and chooses by keyboard, and shows its error', async () => {
  const onChange = vi.fn();
  renderWithApp(
    <SelectField
      label="Direction"
      value="up"
      options={[
        { value: 'up', label: 'Uptrend' },
        { value: 'down', label: 'Downtrend' },
      ]}
      error="Choose one."
      onChange={onChange}
    />,
  );
  const select = screen.getByRole('combobox', { name: 'Direction' });
  expect(select).toHaveTextContent('Uptrend');
  expect(select).toBeInvalid();
  expect(select).toHaveAccessibleDescription('Choose one.');
  await userEvent.tab();
  expect(select).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  const list = await screen.findByRole('listbox');
  expect(within(list).getByRole('option', { name: 'Uptrend' })).toHaveAttribute('aria-selected', 'true');
  await userEvent.keyboard('{ArrowDown}{Enter}');
  expect(onChange).toHaveBeenCalledExactlyOnceWith('down');
  await waitFor(() => expect(screen.queryByRole('listbox')).toBeNull());
  expect(select).toHaveFocus();
});

test('a switch goes on and off by Space, and by its label', async () => {
  const onChange = vi.fn();
  renderWithApp(<Switch label="Runners" hint="Tells of runners." checked={false} onChange={onChange} />);
  const control = screen.getByRole('switch', { name: 'Runners' });
  expect(control).not.toBeChecked();
  expect(control).toHaveAccessibleDescription('Tells of runners.');
  await userEvent.tab();
  await userEvent.keyboard(' ');
  await userEvent.click(screen.getByText('Runners'));
  expect(onChange.mock.calls).toEqual([[true], [true]]);
});

test('a date-time picker shows the time of the browser’s zone and gives UTC, or nothing when emptied', async () => {
  const onChange = vi.fn();
  renderWithApp(<DateTimeField label="From" value="2026-11-21T14:03:27.000Z" onChange={onChange} />);
  const input = screen.getByLabelText('From');
  expect(input).toHaveValue(localInput('2026-11-21T14:03:27.000Z'));
  await userEvent.clear(input);
  expect(onChange).toHaveBeenLastCalledWith(undefined);
  await userEvent.type(input, localInput('2027-01-02T03:04:05.000Z'));
  expect(onChange).toHaveBeenLastCalledWith('2027-01-02T03:04:05.000Z');
  expect(localInput('no date')).toBe('');
});

test('a notice says what matters, with what can be done about it', () => {
  renderWithApp(
    <Notice tone="warning" title="Wallet Required" action={<a href="/app/settings">Open settings</a>}>
      Nothing is bought.
    </Notice>,
  );
  expect(screen.getByRole('note')).toHaveTextContent('Wallet RequiredNothing is bought.Open settings');
});
