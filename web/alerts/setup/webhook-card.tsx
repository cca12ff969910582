import { type SyntheticEvent, useState } from 'react';
import { webhookCalls } from '../../../common/webhook/http.ts';
import { type Webhook, webhookInputSchema } from '../../../common/webhook/model.ts';
import { ShownOnce } from '../../account/shown-once.tsx';
import { useUserId } from '../../auth/session.ts';
import { request } from '../../http/client.ts';
import { errorText, serverFieldErrors } from '../../http/error.ts';
import { Loaded } from '../../http/loaded.tsx';
import { useMutation } from '../../http/use-mutation.ts';
import { useUserQuery } from '../../live/hooks/use-user-query.ts';
import { queryClientAtom, useStore } from '../../store.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { utcTime } from '../../ui/format.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { applyUserData } from '../../users/user-cache.ts';

/** The user's webhook: its address, a test, and its secret once. */
export function WebhookCard() {
  const query = useUserQuery(webhookCalls.get, {});
  const [isEditing, setIsEditing] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <Card title="Webhook">
      <Loaded query={query} problem="Your webhook could not be loaded" bare waiting={<Skeleton className="h-16" />}>
        {(webhook) => (
          <div className="flex flex-col items-start gap-3 text-sm">
            {webhook === null ? (
              <p className="text-muted">
                An alert with the webhook posts JSON to your address, signed with a secret of your own.
              </p>
            ) : (
              <Delivered webhook={webhook} />
            )}
            <Buttons webhook={webhook} onEdit={() => setIsEditing(true)} />
          </div>
        )}
      </Loaded>
      {isEditing && <AddressDialog onClose={() => setIsEditing(false)} onSecret={setSecret} />}
      {secret !== null && (
        <ShownOnce
          title="Secret of your webhook"
          description="Keep it where your service reads it: it is not shown again. Check the signature of each delivery with it."
          secret={secret}
          name="Secret"
          copyLabel="Copy secret"
          closeLabel="I have saved it"
          onClose={() => setSecret(null)}
        >
          <p className="break-all font-mono text-sm">{secret}</p>
          <p className="mt-3 break-all font-mono text-muted text-xs">X-Mintwatch-Signature: t=…,v1=…</p>
        </ShownOnce>
      )}
    </Card>
  );
}

function Delivered({ webhook: { host, last } }: { webhook: Webhook }) {
  return (
    <div className="min-w-0">
      <p className="break-all font-mono">{host}</p>
      <p role="status" className={last?.problem == null ? 'text-muted text-xs' : 'text-down text-xs'}>
        {last === null ? 'Nothing was delivered yet.' : `${last.problem ?? 'Delivered.'} ${utcTime(last.at)}`}
      </p>
    </div>
  );
}

function Buttons({ webhook, onEdit }: { webhook: Webhook | null; onEdit: () => void }) {
  const apply = useApply();
  const [isDeleting, setIsDeleting] = useState(false);
  const testing = useMutation(async () => apply((await request(webhookCalls.test)).data));
  const removing = useMutation(async () => {
    await request(webhookCalls.remove);
    setIsDeleting(false);
    apply(null);
  });
  if (webhook === null) {
    return (
      <Button size="sm" onClick={onEdit}>
        Add a webhook
      </Button>
    );
  }
  return (
    <div className="flex flex-wrap gap-2">
      <Button size="sm" busy={testing.pending} onClick={() => void testing.run()}>
        Send a test
      </Button>
      <Button size="sm" onClick={onEdit}>
        Replace
      </Button>
      <Button size="sm" onClick={() => setIsDeleting(true)}>
        Delete
      </Button>
      <Confirm
        open={isDeleting}
        title="Delete the webhook?"
        verb="Delete"
        busy={removing.pending}
        onConfirm={() => void removing.run()}
        onCancel={() => setIsDeleting(false)}
      >
        Your alerts are no longer sent to {webhook.host}.
      </Confirm>
    </div>
  );
}

function AddressDialog({ onClose, onSecret }: { onClose: () => void; onSecret: (secret: string) => void }) {
  const apply = useApply();
  const [url, setUrl] = useState('');
  const [error, setError] = useState<string>();
  const saving = useMutation(
    async (text: string) => {
      const { data } = await request(webhookCalls.save, { body: { url: text } });
      apply(data.webhook);
      onClose();
      onSecret(data.secret);
    },
    (reason) => setError(serverFieldErrors(reason, ['url'])[0]?.[1] ?? errorText(reason)),
  );

  async function submit(event: SyntheticEvent): Promise<void> {
    event.preventDefault();
    const parsed = webhookInputSchema.safeParse({ url: url.trim() });
    setError(parsed.success ? undefined : `The address ${parsed.error.issues[0]?.message ?? 'is wrong'}.`);
    if (parsed.success) await saving.run(parsed.data.url);
  }

  return (
    <FormDialog title="Webhook" verb="Save" busy={saving.pending} onClose={onClose} onSubmit={submit}>
      <Field
        label="Address"
        type="url"
        placeholder="https://"
        hint="On the public internet. Redirects are not followed."
        value={url}
        onChange={(event) => setUrl(event.target.value)}
        autoComplete="off"
        data-autofocus=""
        error={error}
      />
    </FormDialog>
  );
}

/** Returns the function that shows the webhook as the server has it. */
function useApply(): (webhook: Webhook | null) => void {
  const store = useStore();
  const userId = useUserId();
  return (item) => {
    if (userId !== null) applyUserData(store.get(queryClientAtom), userId, { subject: 'webhook', op: 'saved', item });
  };
}
