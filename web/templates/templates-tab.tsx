import { MessageSquareText, Plus, SearchX } from 'lucide-react';
import { useState } from 'react';
import { alertTypes, type Template } from '../../common/templates/model.ts';
import { templateVariables } from '../../common/templates/variables.ts';
import { Loaded } from '../http/loaded.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Empty } from '../ui/empty.tsx';
import { SearchInput } from '../ui/search-input.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { RenderedText } from './rendered-text.tsx';
import { TemplateCard } from './template-card.tsx';
import { TemplateDialog } from './template-dialog.tsx';
import { type TemplateList, useTemplates } from './use-templates.ts';

/** The open dialog. */
type OpenDialog = { dialog: 'create' } | { dialog: 'edit' | 'preview'; template: Template };

/** The notification templates: a searchable list, and the dialogs that create, edit and preview one. */
export function TemplatesTab() {
  const [search, setSearch] = useState('');
  const [opened, setOpenDialog] = useState<OpenDialog | null>(null);
  const list = useTemplates();
  const close = () => setOpenDialog(null);
  const create = () => setOpenDialog({ dialog: 'create' });
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <SearchInput label="Search by name or type" value={search} onChange={setSearch} />
        <Button variant="primary" onClick={create}>
          <Plus size={16} strokeWidth={1.75} aria-hidden="true" />
          Create Template
        </Button>
      </div>
      <Templates list={list} search={search.trim().toLowerCase()} onOpen={setOpenDialog} onCreate={create} />
      {opened?.dialog === 'create' && <TemplateDialog template={null} types={typesOf(list)} onClose={close} />}
      {opened?.dialog === 'edit' && <TemplateDialog template={opened.template} types={typesOf(list)} onClose={close} />}
      {opened?.dialog === 'preview' && <PreviewDialog template={opened.template} onClose={close} />}
    </div>
  );
}

/** Returns the suggested types: those the product sends, and those of existing templates. */
function typesOf({ data: templates = [] }: TemplateList): string[] {
  return [...new Set([...alertTypes, ...templates.map(({ type }) => type)])];
}

const places = ['one', 'two', 'three'];
const gridClass = 'grid gap-3 md:grid-cols-2 xl:grid-cols-3';

function Templates(props: {
  list: TemplateList;
  search: string;
  onOpen: (opened: OpenDialog) => void;
  onCreate: () => void;
}) {
  const { list, search, onOpen, onCreate } = props;
  const isShown = ({ name, type }: Template) =>
    name.toLowerCase().includes(search) || type.toLowerCase().includes(search);
  return (
    <Loaded
      query={list}
      problem="Failed to fetch notification templates"
      outdated="data"
      waiting={
        <div role="status" aria-label="Loading templates" className={gridClass}>
          {places.map((place) => (
            <Skeleton key={place} className="h-48 rounded-lg" />
          ))}
        </div>
      }
    >
      {(templates) => (
        <>
          {!templates.some(isShown) && <Nothing filtered={templates.length > 0} onCreate={onCreate} />}
          <div className={gridClass}>
            {templates.filter(isShown).map((template) => (
              <TemplateCard
                key={template.id}
                template={template}
                onEdit={() => onOpen({ dialog: 'edit', template })}
                onPreview={() => onOpen({ dialog: 'preview', template })}
              />
            ))}
          </div>
        </>
      )}
    </Loaded>
  );
}

function Nothing({ filtered, onCreate }: { filtered: boolean; onCreate: () => void }) {
  return (
    <Card flush>
      {filtered ? (
        <Empty icon={SearchX} title="No Matching Templates" text="No template has this text in its name or type." />
      ) : (
        <Empty
          icon={MessageSquareText}
          title="No Templates"
          text="Alerts are written by templates. An alert without a template has a plain text."
          action={<Button onClick={onCreate}>Create Template</Button>}
        />
      )}
    </Card>
  );
}

/** A template's text for a real token, and the available variables. */
function PreviewDialog({ template, onClose }: { template: Template; onClose: () => void }) {
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Preview of ${template.name}`}
      description="Rendered for a token of the market."
      footer={<Button onClick={onClose}>Close</Button>}
    >
      <div className="flex flex-col gap-5">
        <RenderedText template={template.template} />
        <section>
          <h3 className="mb-2 font-medium text-muted text-xs">Example variables</h3>
          <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5 text-sm max-sm:grid-cols-1">
            {templateVariables.map(({ name, description }) => (
              <div key={name} className="contents">
                <dt>
                  <code className="font-mono text-xs">{`{${name}}`}</code>
                </dt>
                <dd className="text-muted max-sm:mb-1">{description}</dd>
              </div>
            ))}
          </dl>
        </section>
      </div>
    </Dialog>
  );
}
