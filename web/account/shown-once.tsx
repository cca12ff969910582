import type { ReactNode } from 'react';
import { Button } from '../ui/button.tsx';
import { copyToClipboard } from '../ui/clipboard.ts';
import { Dialog } from '../ui/dialog.tsx';

/** Shows a secret, once, with a button that copies it. */
export function ShownOnce(props: {
  title: string;
  description: string;
  secret: string;
  /** Name of the secret in the toast. */
  name: string;
  copyLabel: string;
  closeLabel: string;
  onClose: () => void;
  children: ReactNode;
}) {
  const { title, description, secret, name, copyLabel, closeLabel, onClose, children } = props;
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      description={description}
      footer={
        <>
          <Button onClick={() => void copyToClipboard(secret, name)}>{copyLabel}</Button>
          <Button variant="primary" data-autofocus onClick={onClose}>
            {closeLabel}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  );
}
