import { BookOpenText, FileCode, FileDown, type LucideIcon } from 'lucide-react';
import { useEffect, useState } from 'react';
import { type GuideForm, userGuidePaths } from '../../common/docs/paths.ts';
import { buttonClass } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { toast } from '../ui/toast-store.ts';

interface Download {
  form: GuideForm;
  title: string;
  text: string;
  verb: string;
  icon: LucideIcon;
}

const downloads: readonly Download[] = [
  { form: 'pdf', title: 'PDF', text: 'To keep or to print, with all pictures.', verb: 'Download PDF', icon: FileDown },
  {
    form: 'html',
    title: 'HTML',
    text: 'One page with a table of contents.',
    verb: 'View in Browser',
    icon: BookOpenText,
  },
  {
    form: 'markdown',
    title: 'Markdown',
    text: 'The text that both are made from.',
    verb: 'View Source',
    icon: FileCode,
  },
];

/** The user guide in its three forms, each in a new window. */
export function UserGuideTab() {
  const missing = useMissingForms();
  return (
    <>
      <div className="grid gap-3 md:grid-cols-3">
        {downloads.map(({ form, title, text, verb, icon: Icon }) => (
          <Card key={form} title={title}>
            <p className="mb-3 text-muted text-sm">
              {missing.has(form) ? 'This file is not available right now.' : text}
            </p>
            <a href={userGuidePaths[form]} target="_blank" rel="noreferrer" className={buttonClass('secondary')}>
              <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
              {verb}
            </a>
          </Card>
        ))}
      </div>
      <p className="mt-4 text-muted text-sm">
        Mintwatch contains the work of others under their licences: <LicenceLink file="packages">packages</LicenceLink>{' '}
        and <LicenceLink file="fonts">fonts</LicenceLink>.
      </p>
    </>
  );
}

/** A link to notices that the build of the client makes (`web/vite.config.ts`). */
function LicenceLink({ file, children }: { file: 'packages' | 'fonts'; children: string }) {
  return (
    <a
      href={`/licences/${file}.txt`}
      target="_blank"
      rel="noreferrer"
      className="underline underline-offset-2 hover:text-text"
    >
      {children}
    </a>
  );
}

/** Checks whether the files exist; shows one toast when some do not. */
function useMissingForms(): ReadonlySet<GuideForm> {
  const [missing, setMissing] = useState<ReadonlySet<GuideForm>>(new Set());
  useEffect(() => {
    const controller = new AbortController();
    void Promise.all(downloads.map(({ form }) => exists(form, controller.signal))).then((found) => {
      if (controller.signal.aborted) return;
      const missing = downloads.flatMap(({ form }, index) => (found[index] === true ? [] : [form]));
      setMissing(new Set(missing));
      if (missing.length === 0) return;
      toast({
        title: 'Error loading documentation',
        description: 'Could not verify if documentation files are available',
        variant: 'destructive',
      });
    });
    return () => controller.abort();
  }, []);
  return missing;
}

async function exists(form: GuideForm, signal: AbortSignal): Promise<boolean> {
  try {
    return (await fetch(userGuidePaths[form], { method: 'HEAD', signal })).ok;
  } catch {
    return false; // unreachable: whether the file exists is unknown, as the toast states
  }
}
