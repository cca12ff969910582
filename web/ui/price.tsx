import { plainPrice, price } from './format.ts';

/** Shows a price; screen readers get it in plain decimals, since they read `0.0₅1234` as 0.051234. */
export function Price({ value }: { value: number | null }) {
  const [shown, plain] = [price(value), plainPrice(value)];
  if (shown === plain) return shown;
  return (
    <span role="img" aria-label={plain}>
      {shown}
    </span>
  );
}
