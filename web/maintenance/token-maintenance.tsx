import { type ReactNode, useState } from 'react';
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
import type { TokenAction } from './actions.ts';
import { useRuns } from './use-runs.ts';
import { useTokenAction } from './use-token-action.ts';

interface OfRuns {
  runs: readonly Run[] | undefined;
}

/** What administrators can have done to the store of tokens. */
export function TokenMaintenance() {
  const { data: runs, error } = useRuns();
  return (
    <section aria-label="Token maintenance" className="flex min-w-0 flex-col gap-3">
      {error !== null && (
        <Notice tone="warning" title="What is running now is not known">
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

interface RemovalLook {
  action: TokenAction;
  title: string;
  text: string;
  verb: string;
  question: string;
  what: string;
}

const removals: readonly RemovalLook[] = [
  {
    action: 'cleanup-mock-tokens',
    title: 'Clean Mock Tokens',
    text: 'Removes the tokens of the simulated market. While that runs, it goes on launching new ones.',
    verb: 'Clean Mock Tokens',
    question: 'Clean mock tokens?',
    what: 'All tokens of the simulated market are removed for every user, with their trades and charts.',
  },
  {
    action: 'cleanup-all-invalid-tokens',
    title: 'Clean Invalid Tokens',
    text: 'Removes what is no token: addresses that the chain does not know, and those without name and symbol after an hour.',
    verb: 'Clean Invalid Tokens',
    question: 'Clean invalid tokens?',
    what: 'Every token is looked at, and its chain is asked. Those that are none are removed for every user, with their trades and charts.',
  },
  {
    action: 'remove-all-tokens',
    title: 'Reset Token Database',
    text: 'Removes every token there is, real or simulated. New ones are detected from then on.',
    verb: 'Reset Token Database',
    question: 'Reset the token database?',
    what: 'Everything goes: all tokens, with all their trades, charts and holders, for every user. This cannot be undone.',
  },
];

function RemovalCard({ removal, runs }: OfRuns & { removal: RemovalLook }) {
  const { action: name, title, text, verb, question, what } = removal;
  const action = useTokenAction(name, runs);
  const [asking, setAsking] = useState(false);
  return (
    <>
      <ActionCard
        title={title}
        text={text}
        verb={verb}
        action={action}
        destructive={name === 'remove-all-tokens'}
        onStart={() => setAsking(true)}
      />
      <Question open={asking} title={question} verb={verb} onClose={() => setAsking(false)} onYes={action.start}>
        {what}
      </Question>
    </>
  );
}

function RecentCard({ runs }: OfRuns) {
  const action = useTokenAction('cleanup-recent-tokens', runs);
  const [text, setText] = useState(String(HOURS_AGO_DEFAULT));
  const [error, setError] = useState<string | undefined>();
  const [asked, setAsked] = useState<number | null>(null);

  function ask(): void {
    const hours = hoursAgoSchema.safeParse(text);
    setError(hours.success ? undefined : `Hours ${hours.error.issues[0]?.message ?? 'are not valid'}.`);
    if (!hours.success) return;
    // What is no number counts as the default: that is said before anything is removed.
    setText(String(hours.data));
    setAsked(hours.data);
  }

  const span = asked === 1 ? 'hour' : `${asked} hours`;
  return (
    <>
      <ActionCard
        title="Clean Recent Tokens"
        text="Removes the tokens that were detected within the last hours."
        verb="Clean Recent Tokens"
        action={action}
        onStart={ask}
        control={
          <div className="max-w-56">
            <Field
              label="Hours"
              inputMode="decimal"
              value={text}
              onChange={(event) => setText(event.target.value)}
              hint={`${HOURS_AGO_MIN} to ${HOURS_AGO_MAX}; no number means ${HOURS_AGO_DEFAULT}`}
              error={error}
              autoComplete="off"
            />
          </div>
        }
      />
      <Question
        open={asked !== null}
        title={`Clean the tokens of the last ${span}?`}
        verb="Clean Recent Tokens"
        onClose={() => setAsked(null)}
        onYes={() => action.start(asked ?? HOURS_AGO_DEFAULT)}
      >
        Tokens that were detected within the last {span} are removed for every user, with their trades and charts.
      </Question>
    </>
  );
}

const criteria = `Runners are tokens with a growth score above ${RUNNER_GROWTH_ABOVE}; Might Run tokens have a market cap above ${MIGHT_RUN_MIN_CAP / 1_000}K.`;

function ScanCard({ runs }: OfRuns) {
  const action = useTokenAction('force-aggregator-scan', runs);
  return (
    <ActionCard
      title="Force Token Scan"
      text={`Asks all polling sources for new tokens now. ${criteria}`}
      verb="Run Token Aggregator"
      action={action}
      onStart={() => void action.start()}
    />
  );
}

function Question({
  open,
  title,
  verb,
  children,
  onClose,
  onYes,
}: {
  open: boolean;
  title: string;
  verb: string;
  children: ReactNode;
  onClose: () => void;
  onYes: () => Promise<void>;
}) {
  return (
    <Confirm
      open={open}
      title={title}
      verb={verb}
      onCancel={onClose}
      onConfirm={() => {
        // How far it is stands on the card: the question need not stay.
        onClose();
        void onYes();
      }}
    >
      {children}
    </Confirm>
  );
}
