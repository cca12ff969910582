import { Eye, Pencil } from 'lucide-react';
import { useId } from 'react';
import { templateCalls } from '../../common/templates/http.ts';
import type { Template } from '../../common/templates/model.ts';
import { DeleteButton } from '../auto-buy/delete-button.tsx';
import { request } from '../http/client.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { toast } from '../ui/toast-store.ts';
import { serverMessage, useTemplateUpdate } from './use-templates.ts';

/** One template, with controls to preview, edit and delete it. */
export function TemplateCard(props: { template: Template; onEdit: () => void; onPreview: () => void }) {
  const {
    template: { id, name, type, template, isDefault },
    onEdit,
    onPreview,
  } = props;
  const headingId = useId();
  const { apply, refetch } = useTemplateUpdate();

  async function remove(): Promise<void> {
    await request(templateCalls.remove, { params: { id } });
    apply({ deleted: id });
    toast({ title: 'Template deleted', description: `“${name}” is no longer used.` });
  }

  function handleError(reason: unknown): void {
    refetch();
    toast({
      title: 'Deletion failed',
      description: serverMessage(reason, 'Failed to delete template'),
      variant: 'destructive',
    });
  }

  return (
    <article
      aria-labelledby={headingId}
      className="flex min-w-0 flex-col gap-3 rounded-lg border border-line bg-surface p-4"
    >
      <header className="flex min-w-0 items-start justify-between gap-3">
        <div className="min-w-0">
          <h3 id={headingId} className="break-words font-semibold text-base">
            {name}
          </h3>
          <p className="truncate text-muted text-xs">{type}</p>
        </div>
        {isDefault && (
          <Badge tone="accent" className="mt-0.5">
            Default
          </Badge>
        )}
      </header>
      <p className="line-clamp-5 whitespace-pre-line break-words text-muted text-sm">{template}</p>
      <footer className="mt-auto flex flex-wrap items-center justify-end gap-2 border-line border-t pt-3">
        <Button size="sm" aria-describedby={headingId} onClick={onPreview}>
          <Eye size={14} strokeWidth={1.75} aria-hidden="true" />
          Preview
        </Button>
        <Button size="sm" aria-describedby={headingId} onClick={onEdit}>
          <Pencil size={14} strokeWidth={1.75} aria-hidden="true" />
          Edit
        </Button>
        <DeleteButton question="Delete this template?" describedBy={headingId} onDelete={remove} onError={handleError}>
          “{name}” will be deleted. {isDefault && 'The oldest other template of its type becomes the default. '}
          This can't be undone.
        </DeleteButton>
      </footer>
    </article>
  );
}
