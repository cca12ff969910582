import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import {
  HOURS_AGO_DEFAULT,
  HOURS_AGO_MAX,
  HOURS_AGO_MIN,
  hoursAgoSchema,
  type Run,
} from '../../common/maintenance/model.ts';
import { MIGHT_RUN_MIN_CAP, RUNNER_GROWTH_ABOVE } from '../../common/tokens/lists.ts';
import { Confirm } from '../ui/confirm.tsx';
import { Field } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { ActionCard } from './action-card.tsx';
import type { TokenAction } from './token-actions.ts';
import { useRuns } from './use-runs.ts';
import { useTokenAction } from './use-token-action.ts';

interface RunsProps {
  /** Undefined until they are known. */
  runs: readonly Run[] | undefined;
}

/** The maintenance actions for stored tokens, one card each. */
export function TokenMaintenance() {
  const { data: runs, error } = useRuns();
  return (
    <section aria-label="Token maintenance" className="flex min-w-0 flex-col gap-3">
      {error !== null && (
        <Notice tone="warning" title="Running maintenance is unknown">
          {error}
        </Notice>
      )}
      <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3 min-[87.5rem]:grid-cols-5">
        {removals.map((removal) => (
          <RemovalCard key={removal.action} removal={removal} runs={runs} />
        ))}
        <RecentCard runs={runs} />
        <ScanCard runs={runs} />
      </div>
    </section>
  );
}

interface RemovalText {
  action: TokenAction;
  /** Also the label of its buttons. */
  title: string;
  text: string;
  question: string;
  consequence: string;
}

const removals: readonly RemovalText[] = [
  {
    action: 'cleanup-mock-tokens',
    title: 'Clean Mock Tokens',
    text: 'Removes the tokens of the simulated market. While it runs, the market keeps launching new ones.',
    question: 'Clean mock tokens?',
    consequence: 'All tokens of the simulated market are removed for every user, with their trades and charts.',
  },
  {
    action: 'cleanup-all-invalid-tokens',
    title: 'Clean Invalid Tokens',
    text: 'Removes addresses that the chain does not know, and tokens that have neither name nor symbol after an hour.',
    question: 'Clean invalid tokens?',
    consequence:
      'Every token is checked on its chain. Invalid ones are removed for every user, with their trades and charts.',
  },
  {
    action: 'remove-all-tokens',
    title: 'Reset Token Database',
    text: 'Removes every token, real or simulated. Detection of new ones continues.',
    question: 'Reset the token database?',
    consequence: "All tokens are removed for every user, with their trades, charts and holders. This can't be undone.",
  },
];

function RemovalCard({ removal, runs }: RunsProps & { removal: RemovalText }) {
  const { action: name, title, text, question, consequence } = removal;
  const action = useTokenAction(name, runs);
  const [confirming, setConfirming] = useState(false);
  return (
    <>
      <ActionCard
        title={title}
        text={text}
        verb={title}
        action={action}
        destructive={name === 'remove-all-tokens'}
        onStart={() => setConfirming(true)}
      />
      <Confirm
        open={confirming}
        title={question}
        verb={title}
        onCancel={() => setConfirming(false)}
        onConfirm={() => {
          // The card shows the progress, so the dialog can close at once.
          setConfirming(false);
          void action.start();
        }}
      >
        {consequence}
      </Confirm>
    </>
  );
}

const recentSchema = z.object({ hours: hoursAgoSchema });

function RecentCard({ runs }: RunsProps) {
  const action = useTokenAction('cleanup-recent-tokens', runs);
  const form = useForm({ resolver: zodResolver(recentSchema), defaultValues: { hours: String(HOURS_AGO_DEFAULT) } });
  const [pendingHours, setPendingHours] = useState<number | null>(null);

  const confirm = form.handleSubmit(({ hours }) => {
    // Text that is not a number counts as the default, which the field shows before anything is removed.
    form.setValue('hours', String(hours));
    setPendingHours(hours);
  });

  const { error } = form.getFieldState('hours', form.formState);
  const span = pendingHours === 1 ? 'hour' : `${pendingHours} hours`;
  return (
    <>
      <ActionCard
        title="Clean Recent Tokens"
        text="Removes the tokens that were detected within the last hours."
        verb="Clean Recent Tokens"
        action={action}
        onStart={() => void confirm()}
        control={
          <div className="max-w-56">
            <Field
              label="Hours"
              inputMode="decimal"
              hint={`${HOURS_AGO_MIN} to ${HOURS_AGO_MAX}; no number means ${HOURS_AGO_DEFAULT}`}
              error={error && `Hours ${error.message ?? 'are not valid'}.`}
              autoComplete="off"
              {...form.register('hours')}
            />
          </div>
        }
      />
      <Confirm
        open={pendingHours !== null}
        title={`Clean the tokens of the last ${span}?`}
        verb="Clean Recent Tokens"
        onCancel={() => setPendingHours(null)}
        onConfirm={() => {
          setPendingHours(null);
          void action.start(pendingHours ?? HOURS_AGO_DEFAULT);
        }}
      >
        Tokens that were detected within the last {span} are removed for every user, with their trades and charts.
      </Confirm>
    </>
  );
}

const criteria = `Runners are tokens with a growth score above ${RUNNER_GROWTH_ABOVE}; Might Run tokens have a market cap above ${MIGHT_RUN_MIN_CAP / 1_000}K.`;

function ScanCard({ runs }: RunsProps) {
  const action = useTokenAction('force-aggregator-scan', runs);
  return (
    <ActionCard
      title="Force Token Scan"
      text={`Polls all sources for new tokens now. ${criteria}`}
      verb="Run Token Aggregator"
      action={action}
      onStart={() => void action.start()}
    />
  );
}
