import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { type DataColumn, DataTable } from './data-table.tsx';

interface Fruit {
  name: string;
  weight: number;
}

const columns: readonly DataColumn<Fruit>[] = [
  { id: 'place', label: '#', cell: (_, index) => index + 1 },
  { id: 'name', label: 'Name', rowHeader: true, cell: ({ name }) => name },
  {
    id: 'weight',
    label: 'Weight',
    align: 'right',
    className: 'max-sm:hidden',
    cellClass: ({ weight }) => weight > 5 && 'text-down',
    cell: ({ weight }) => `${weight} g`,
  },
  { id: 'open', label: 'Open', labelHidden: true, cell: ({ name }) => <a href={`#${name}`}>Open {name}</a> },
];
const rows: readonly Fruit[] = [
  { name: 'Plum', weight: 3 },
  { name: 'Fig', weight: 7 },
];

function open(shown: readonly Fruit[] = rows) {
  return render(<DataTable label="Fruit" columns={columns} rows={shown} rowId={({ name }) => name} />);
}

test('shows the headings and a row for each item, in their order', () => {
  open();
  expect(screen.getByRole('table', { name: 'Fruit' })).toBeVisible();
  const texts = screen.getAllByRole('row').map((row) => [...row.children].map((cell) => cell.textContent));
  expect(texts).toEqual([
    ['#', 'Name', 'Weight', 'Open'],
    ['1', 'Plum', '3 g', 'Open Plum'],
    ['2', 'Fig', '7 g', 'Open Fig'],
  ]);
});

test('names rows by their heading, and hides a heading from sight alone', () => {
  open();
  expect(screen.getAllByRole('rowheader').map((cell) => cell.textContent)).toEqual(['Plum', 'Fig']);
  expect(screen.getByText('Open')).toHaveClass('sr-only');
  expect(screen.getAllByRole('columnheader')).toHaveLength(4);
});

test('aligns and hides heading and cells of a column together, and styles cells by their row', () => {
  open();
  for (const cell of [
    screen.getByRole('columnheader', { name: 'Weight' }),
    screen.getByText('3 g'),
    screen.getByText('7 g'),
  ]) {
    expect(cell).toHaveClass('text-right', 'max-sm:hidden');
  }
  expect(screen.getByText('7 g')).toHaveClass('text-down');
  expect(screen.getByText('3 g')).not.toHaveClass('text-down');
});

test('keeps the element of a row that moves', () => {
  const { rerender } = open();
  const fig = screen.getByText('Fig');
  rerender(<DataTable label="Fruit" columns={columns} rows={rows.toReversed()} rowId={({ name }) => name} />);
  expect(screen.getByText('Fig')).toBe(fig);
  expect(screen.getAllByRole('rowheader')[0]).toBe(fig);
});
