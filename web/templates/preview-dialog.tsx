import type { Template } from '../../common/templates/model.ts';
import { templateVariables } from '../../common/templates/variables.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { RenderedText } from './rendered-text.tsx';

/** A template's text for a real token, and the available variables. */
export function PreviewDialog({ template, onClose }: { template: Template; onClose: () => void }) {
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
