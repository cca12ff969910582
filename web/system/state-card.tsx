import type { ReactNode } from 'react';
import { Badge } from '../ui/badge.tsx';
import { Card } from '../ui/card.tsx';
import type { Word } from './words.ts';

/** A part of the system: its name, its state in a word, its figures. */
export function StateCard({ title, state, children }: { title: string; state?: Word; children: ReactNode }) {
  return (
    <Card title={title} {...(state === undefined ? {} : { actions: <Badge tone={state.tone}>{state.text}</Badge> })}>
      <div className="flex flex-col gap-3">{children}</div>
    </Card>
  );
}
