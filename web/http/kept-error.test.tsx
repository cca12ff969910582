import { render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { useKeptError } from './kept-error.ts';

test('an error stays until a repeated fetch has ended, and is never that of another key', () => {
  const seen: (string | null)[] = [];
  function Shown(props: { id: string; error: string | null; isRepeated: boolean }) {
    seen.push(useKeptError(props.id, props.error, props.isRepeated));
    return null;
  }
  const { rerender } = render(<Shown id="one" error={null} isRepeated />);
  rerender(<Shown id="one" error="No route" isRepeated={false} />);
  rerender(<Shown id="one" error={null} isRepeated />);
  expect(seen.at(-1)).toBe('No route');
  rerender(<Shown id="two" error={null} isRepeated />);
  expect(seen.at(-1)).toBeNull();
  rerender(<Shown id="one" error="No route" isRepeated={false} />);
  rerender(<Shown id="one" error={null} isRepeated={false} />);
  expect(seen.at(-1)).toBeNull();
});
