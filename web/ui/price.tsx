import { plainDecimals, price, priceExact } from './format.ts';

/**
 * Shows a price, `exact` with 8 decimals where these have its digits. Screen readers get plain decimals, since they read
 * `0.0₅1234` as 0.051234.
 */
export function Price({ value, exact = false }: { value: number | null; exact?: boolean }) {
  const shown = exact ? priceExact(value) : price(value);
  const plain = plainDecimals(shown);
  if (shown === plain) return shown;
  return (
    <span role="img" aria-label={plain}>
      {shown}
    </span>
  );
}
