import { zodResolver } from '@hookform/resolvers/zod';
import { useRef, useState } from 'react';
import { type FieldPath, type UseFormReturn, useForm } from 'react-hook-form';
import { plainWords } from '../../common/field-errors.ts';
import { strategyCalls } from '../../common/strategies/http.ts';
import type { StrategyFields } from '../../common/strategies/model.ts';
import { useUserId } from '../auth/session.ts';
import { useListUpdate } from '../auto-buy/use-list-update.ts';
import { request } from '../http/client.ts';
import { errorText, HttpError, serverFieldErrors } from '../http/error.ts';
import { Button } from '../ui/button.tsx';
import { dismissToast, toast } from '../ui/toast-store.ts';
import { draftSchema, newDraft, type StrategyDraft } from './draft.ts';

/** Fields that can have an error from the server. */
const fields: readonly FieldPath<StrategyDraft>[] = [
  'name',
  'description',
  'buyAmount',
  'maxSlippage',
  'stopLoss',
  'takeProfit',
  'minLiquidity',
  'maxScamProbability',
  'buyWithinSeconds',
  'configuration',
];

export type StrategyFormReturn = UseFormReturn<StrategyDraft, unknown, StrategyFields>;

export interface StrategyForm {
  form: StrategyFormReturn;
  submit: () => Promise<void>;
  /** Number of strategies created so far. A key of the form: a reset alone leaves the text of fields without a default. */
  created: number;
  /** Server's error text of the last attempt; null when it did not fail. */
  failure: string | null;
}

/** Manages the form of a new strategy. It lives in the page, so that input survives a change of tab and every failure. */
export function useStrategyForm({ onCreated }: { onCreated: () => void }): StrategyForm {
  const userId = useUserId();
  const list = useListUpdate();
  const [failure, setFailure] = useState<string | null>(null);
  const [created, setCreated] = useState(0);
  const sending = useRef<boolean>(false);
  const form = useForm<StrategyDraft, unknown, StrategyFields>({
    resolver: zodResolver(draftSchema, { error: plainWords }),
    defaultValues: newDraft,
  });

  async function create(strategy: StrategyFields): Promise<void> {
    if (userId === null) return toastNotLoggedIn();
    setFailure(null);
    try {
      const { data } = await request(strategyCalls.create, { body: { ...strategy, userId } });
      list.apply({ subject: 'strategies', op: 'saved', item: data });
    } catch (reason) {
      // The session has ended meanwhile: the page is about to give way to the login.
      if (reason instanceof HttpError && reason.code === 'unauthenticated') return toastNotLoggedIn();
      list.recover('strategies', reason);
      for (const [name, message] of serverFieldErrors(reason, fields)) form.setError(name, { message });
      setFailure(errorText(reason));
      toastFailure(() => void submit());
      return;
    }
    toast({ title: 'Strategy created', description: 'Your auto-buy strategy has been created successfully' });
    form.reset(newDraft);
    setCreated((before) => before + 1);
    onCreated();
  }

  async function submit(): Promise<void> {
    // The submit button is disabled while sending, but the toast's 'Try again' is not.
    if (sending.current) return;
    sending.current = true;
    try {
      await form.handleSubmit(create)();
    } finally {
      sending.current = false;
    }
  }

  return { form, submit, created, failure };
}

function toastNotLoggedIn(): void {
  toast({
    title: 'Not logged in',
    description: 'You must be logged in to create buying strategies',
    variant: 'destructive',
  });
}

function toastFailure(retry: () => void): void {
  const id = toast({
    title: 'Error',
    description: 'Failed to create strategy. Please try again.',
    variant: 'destructive',
    action: (
      <Button
        size="sm"
        onClick={() => {
          dismissToast(id);
          retry();
        }}
      >
        Try again
      </Button>
    ),
  });
}
