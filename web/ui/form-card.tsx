import type { ReactNode, SyntheticEvent } from 'react';
import { Button } from './button.tsx';
import { Card } from './card.tsx';
import { classNames } from './class-names.ts';

/** A card with a form. `verb`: the label of the button below that submits it. */
export function FormCard(props: {
  title: string;
  actions?: ReactNode;
  verb: string;
  busy: boolean;
  onSubmit: (event: SyntheticEvent) => Promise<void>;
  /** Class of the distance between the fields. */
  gap?: string;
  children: ReactNode;
}) {
  const { title, actions, verb, busy, onSubmit, gap = 'gap-4', children } = props;
  return (
    <Card title={title} actions={actions}>
      <form noValidate className={classNames('flex flex-col', gap)} onSubmit={(event) => void onSubmit(event)}>
        {children}
        <Button type="submit" variant="primary" busy={busy} className="self-start">
          {verb}
        </Button>
      </form>
    </Card>
  );
}
