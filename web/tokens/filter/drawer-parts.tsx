import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import type { ZodType } from 'zod';
import { Input, Labelled } from '../../ui/field.tsx';

/** Delay after typing before it limits the list, ms. */
export const TYPED_MS = 350;

/** A group of limits under a heading. */
export function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="flex flex-col gap-2.5 border-line border-b py-3 last:border-b-0">
      <h3 className="font-semibold text-muted text-xs">{title}</h3>
      {children}
    </section>
  );
}

/** A field of words, which limit the list once the typing rests, or at Enter, or when the focus leaves it. */
export function WordsField(props: {
  label: string;
  text: string | undefined;
  /** What the words must be. */
  schema: ZodType<string | undefined>;
  /** Number of times that all limits were cleared. */
  cleared: number;
  onText: (text: string | undefined) => void;
}) {
  const { label, text = '', schema, cleared, onText } = props;
  const [typed, setTyped] = useState(text);
  const [known, setKnown] = useState(text);
  if (known !== text) {
    setKnown(text);
    if (typed.trim() !== text) setTyped(text);
  }
  const [knownCleared, setKnownCleared] = useState(cleared);
  if (knownCleared !== cleared) {
    setKnownCleared(cleared);
    setTyped('');
  }
  const words = typed.trim() === '' ? undefined : typed.trim();
  const error = schema.safeParse(words).error?.issues[0]?.message;
  const isCommitted = (words ?? '') === text || error !== undefined;
  const commit = () => !isCommitted && onText(words);
  const commitRested = useEffectEvent((rested: string | undefined) => onText(rested));
  useEffect(() => {
    if (isCommitted) return;
    const timer = setTimeout(() => commitRested(words), TYPED_MS);
    return () => clearTimeout(timer);
  }, [words, isCommitted]);
  return (
    <Labelled label={label} error={error && `This ${error}.`}>
      {(attributes) => (
        <Input
          {...attributes}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onBlur={commit}
          onKeyDown={(event) => event.key === 'Enter' && commit()}
          maxLength={200}
          autoComplete="off"
          spellCheck={false}
          className="h-8!"
        />
      )}
    </Labelled>
  );
}
