import type { ReactNode } from 'react';
import { classNames } from '../ui/class-names.ts';
import { signedSol } from './format.ts';

/** Shows a profit in green or a loss in red, with its sign; `children` in place of the amount. */
export function ProfitText({ lamports, children }: { lamports: number | null; children?: ReactNode }) {
  const isGain = lamports !== null && lamports > 0;
  const isLoss = lamports !== null && lamports < 0;
  return (
    <span className={classNames('whitespace-nowrap tabular-nums', isGain && 'text-up', isLoss && 'text-down')}>
      {children ?? signedSol(lamports)}
    </span>
  );
}
