import type { Template } from '../../common/templates/model.ts';
import { templateVariables } from '../../common/templates/variables.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Rendered } from './rendered.tsx';

/** What a template comes to for a real token, and what may be written into it. */
export function PreviewDialog({ template, onClose }: { template: Template; onClose: () => void }) {
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Preview of ${template.name}`}
      description="As it would be sent for a token that is here now."
      footer={<Button onClick={onClose}>Close</Button>}
    >
      <div className="flex flex-col gap-5">
        <Rendered template={template.template} />
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
