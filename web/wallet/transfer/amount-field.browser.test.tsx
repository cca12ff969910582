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
      onInvalidPaste={() => {}}
      trailing={null}
    />
  );
}

test('reads a decimal comma as a point', async () => {
  render(<Amount />);
  const field = screen.getByLabelText('Amount (SOL)');
  await userEvent.type(field, '1,5');
  expect(field).toHaveValue(1.5);
  await userEvent.clear(field);
  await userEvent.type(field, '0.25');
  expect(field).toHaveValue(0.25);
});
