import { cleanup, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { AmountField } from './amount-field.tsx';

afterEach(cleanup);

function Amount() {
  const [amount, setAmount] = useState('');
  return (
    <AmountField
      max={5_000_000_000n}
      value={amount}
      error={undefined}
      disabled={false}
      readOnly={false}
      onAmount={setAmount}
      onNonsense={() => {}}
      trailing={null}
    />
  );
}

test('a decimal comma counts as a point: 1,5 is never sent as 15', async () => {
  render(<Amount />);
  const field = screen.getByLabelText('Amount (SOL)');
  await userEvent.type(field, '1,5');
  expect(field).toHaveValue(1.5);
  await userEvent.clear(field);
  await userEvent.type(field, '0.25');
  expect(field).toHaveValue(0.25);
});
