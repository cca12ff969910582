import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
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

/** A field of words, which limit the list once the typing rests. */
export function WordsField(props: {
  label: string;
  text: string | undefined;
  onText: (text: string | undefined) => void;
}) {
  const { label, text = '', onText } = props;
  const [typed, setTyped] = useState(text);
  const [known, setKnown] = useState(text);
  if (known !== text) {
    setKnown(text);
    if (typed.trim() !== text) setTyped(text);
  }
  const commit = useEffectEvent((words: string) => onText(words === '' ? undefined : words));
  useEffect(() => {
    if (typed.trim() === text) return;
    const timer = setTimeout(() => commit(typed.trim()), TYPED_MS);
    return () => clearTimeout(timer);
  }, [typed, text]);
  return (
    <Labelled label={label}>
      {(attributes) => (
        <Input
          {...attributes}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          maxLength={200}
          autoComplete="off"
          spellCheck={false}
          className="h-8!"
        />
      )}
    </Labelled>
  );
}
