import { useEffect, useRef } from 'react';
import { defaultRule, type RuleInput, ruleMaxRisk, ruleMinLiquidity } from '../../common/rules/model.ts';
import type { Range } from '../../common/settings/model.ts';
import { tokenCalls } from '../../common/tokens/http.ts';
import type { Token } from '../../common/tokens/model.ts';
import { request } from '../http/client.ts';
import { errorText } from '../http/error.ts';
import { nameOf, symbolOf } from '../tokens/text.ts';
import { onStep } from '../ui/slider.tsx';
import { toast } from '../ui/toast-store.ts';

/** Tolerance for binary fractions when rounding to a step: 0.3 / 0.1 is a little less than 3. */
const ROUNDING_TOLERANCE = 1e-9;

/**
 * Returns a rule that would buy tokens like this one: at least its liquidity, rounded down to a step, and at most its
 * risk, rounded up to a step. Unknown figures keep the default of a new rule.
 */
export function ruleFromToken(
  token: Pick<Token, 'address' | 'name' | 'symbol' | 'currentLiquidity' | 'scamProbability'>,
): RuleInput {
  const { currentLiquidity: liquidity, scamProbability: risk } = token;
  return {
    ...defaultRule,
    name: `Like ${symbolOf(token) ?? nameOf(token)}`,
    ...(liquidity === null ? {} : { minLiquidity: roundDown(liquidity, ruleMinLiquidity) }),
    ...(risk === null ? {} : { maxRisk: roundUp(risk, ruleMaxRisk) }),
  };
}

function roundDown(value: number, range: Range): number {
  return onStep(Math.floor(value / range.step + ROUNDING_TOLERANCE) * range.step, range);
}

function roundUp(value: number, range: Range): number {
  return onStep(Math.ceil(value / range.step - ROUNDING_TOLERANCE) * range.step, range);
}

/**
 * Fetches the token at `address` and calls `onReady` once with a rule for tokens like it; does nothing for null. When the
 * token can't be fetched, shows a toast and passes the default rule.
 */
export function useRuleFromToken(address: string | null, onReady: (start: RuleInput) => void): void {
  const ready = useRef(onReady);
  useEffect(() => {
    ready.current = onReady;
  });
  useEffect(() => {
    if (address === null) return;
    const controller = new AbortController();
    request(tokenCalls.detail, { params: { address }, signal: controller.signal }).then(
      ({ data }) => ready.current(ruleFromToken(data)),
      (reason: unknown) => {
        // The page was closed, so the rule is no longer needed.
        if (controller.signal.aborted) return;
        toast({ title: 'Error', description: errorText(reason), variant: 'destructive' });
        ready.current(defaultRule);
      },
    );
    return () => controller.abort();
  }, [address]);
}
