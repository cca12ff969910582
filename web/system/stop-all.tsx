import { OctagonX, Play } from 'lucide-react';
import { useState } from 'react';
import { adminTradingCalls } from '../../common/trading/http.ts';
import { request } from '../http/client.ts';
import { callQuery } from '../http/query.ts';
import { useMutation } from '../http/use-mutation.ts';
import { queryClientAtom, useStore } from '../store.ts';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { toast } from '../ui/toast-store.ts';

const texts = {
  stop: {
    button: 'Stop all',
    title: 'Stop buying for everybody?',
    text: "No user can buy until it is resumed. Orders that wait are cancelled, those that were sent are followed to their end. Positions stay and can be sold; each user's page shows the stop.",
    done: { title: 'Trading Stopped', description: 'No user can buy until you resume.' },
  },
  resume: {
    button: 'Resume all',
    title: 'Resume trading for everybody?',
    text: 'Rules, strategies and users can buy again. Users who stopped by themselves stay stopped.',
    done: { title: 'Trading Resumed', description: 'Users can buy again, except those who stopped by themselves.' },
  },
} as const;

/** Stops buying for everybody after a question, or ends that stop. */
export function StopAllButton({ isStopped }: { isStopped: boolean }) {
  const store = useStore();
  const [asked, setAsked] = useState<keyof typeof texts | null>(null);
  const action = isStopped ? 'resume' : 'stop';
  const { pending, run } = useMutation(async () => {
    if (asked === null) return;
    const { data } = await request(adminTradingCalls[asked]);
    store.get(queryClientAtom).setQueryData(callQuery(adminTradingCalls.status, {}).queryKey, data);
    toast(texts[asked].done);
    setAsked(null);
  });
  const Icon = isStopped ? Play : OctagonX;
  const question = texts[asked ?? action];
  return (
    <>
      <Button size="sm" className="self-start" onClick={() => setAsked(action)}>
        <Icon size={14} strokeWidth={1.75} aria-hidden="true" className={isStopped ? '' : 'text-down'} />
        {texts[action].button}
      </Button>
      <Confirm
        open={asked !== null}
        title={question.title}
        verb={question.button}
        destructive={(asked ?? action) === 'stop'}
        busy={pending}
        onCancel={() => setAsked(null)}
        onConfirm={() => void run()}
      >
        {question.text}
      </Confirm>
    </>
  );
}
