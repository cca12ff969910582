import { Ellipsis, Link2, Pencil, Plus, Save, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { type NewPreset, type Preset, readyPresets } from '../../../common/presets/model.ts';
import type { ListChoice } from '../../../common/tokens/http.ts';
import { useMutation } from '../../http/use-mutation.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { copyToClipboard } from '../../ui/clipboard.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { type ChoiceTexts, choiceOf, paramsOf, readControls } from '../list/controls.ts';
import { PresetDialog } from './preset-dialog.tsx';
import { usePresetChanges, usePresets } from './use-presets.ts';

/** A change of a preset that its own dialog asks about. */
type Doing = { what: 'save' } | { what: 'rename' | 'delete'; preset: Preset };

/** Renders the presets of lists; a press opens one. `choice`: the list on screen. */
export function PresetChips({ choice, onOpen }: { choice: ListChoice; onOpen: (choice: ChoiceTexts) => void }) {
  const own = usePresets();
  const [doing, setDoing] = useState<Doing | null>(null);
  const isPlain = Object.keys(choice).length === 0;
  return (
    <fieldset className="scroll-quiet -my-1 flex min-w-0 items-center gap-1.5 overflow-x-auto py-1">
      <legend className="sr-only">Presets</legend>
      {readyPresets.map((preset) => (
        <Chip key={preset.name} preset={preset} choice={choice} onOpen={onOpen} />
      ))}
      {own.data?.map((preset) => (
        <span key={preset.id} className="inline-flex shrink-0">
          <Chip preset={preset} choice={choice} onOpen={onOpen} hasMenu />
          <ChipMenu preset={preset} choice={choice} onDo={setDoing} />
        </span>
      ))}
      {own.error !== null && own.data === undefined && (
        <span role="alert" className="shrink-0 text-muted text-xs">
          Your presets could not be loaded.
        </span>
      )}
      <Button size="sm" variant="ghost" disabled={isPlain} onClick={() => setDoing({ what: 'save' })}>
        <Plus size={14} strokeWidth={1.75} aria-hidden="true" />
        Save
      </Button>
      <Button
        size="sm"
        variant="ghost"
        disabled={isPlain}
        onClick={() => void copyToClipboard(window.location.href, 'The link to this list')}
      >
        <Link2 size={14} strokeWidth={1.75} aria-hidden="true" />
        Copy link
      </Button>
      {doing !== null && <Dialogs doing={doing} choice={choice} onClose={() => setDoing(null)} />}
    </fieldset>
  );
}

function Chip(props: {
  preset: { name: string; choice: ChoiceTexts };
  choice: ListChoice;
  onOpen: (choice: ChoiceTexts) => void;
  hasMenu?: boolean;
}) {
  const { preset, choice, onOpen, hasMenu = false } = props;
  const isOpen = isSame(preset.choice, choice);
  return (
    <button
      type="button"
      aria-pressed={isOpen}
      onClick={() => onOpen(isOpen ? {} : preset.choice)}
      className={classNames(
        'h-7 max-w-[20ch] shrink-0 truncate border px-3 font-medium text-xs transition-colors',
        hasMenu ? 'rounded-l-full border-r-0' : 'rounded-full',
        isOpen ? 'border-accent bg-accent/12 text-accent' : 'border-line-strong bg-surface text-muted hover:text-text',
      )}
    >
      <bdi>{preset.name}</bdi>
    </button>
  );
}

function ChipMenu(props: { preset: Preset; choice: ListChoice; onDo: (doing: Doing) => void }) {
  const { preset, choice, onDo } = props;
  const { replace } = usePresetChanges();
  const updating = useMutation(() => replace(preset.id, { name: preset.name, choice }));
  const isOpen = isSame(preset.choice, choice);
  return (
    <Menu
      side="bottom"
      trigger={
        <button
          type="button"
          aria-label={`Change the preset ${preset.name}`}
          className={classNames(
            'grid h-7 w-7 place-items-center rounded-r-full border border-l-0 transition-colors',
            isOpen
              ? 'border-accent bg-accent/12 text-accent'
              : 'border-line-strong bg-surface text-muted hover:text-text',
          )}
        >
          <Ellipsis size={14} strokeWidth={1.75} aria-hidden="true" />
        </button>
      }
    >
      <MenuItem icon={<Save size={16} strokeWidth={1.75} />} onSelect={() => void updating.run()}>
        Replace by this list
      </MenuItem>
      <MenuItem icon={<Pencil size={16} strokeWidth={1.75} />} onSelect={() => onDo({ what: 'rename', preset })}>
        Rename
      </MenuItem>
      <MenuItem icon={<Trash2 size={16} strokeWidth={1.75} />} onSelect={() => onDo({ what: 'delete', preset })}>
        Delete
      </MenuItem>
    </Menu>
  );
}

function Dialogs({ doing, choice, onClose }: { doing: Doing; choice: ListChoice; onClose: () => void }) {
  const { create, replace, remove } = usePresetChanges();
  const removing = useMutation(async (id: string) => {
    await remove(id);
    onClose();
  });
  switch (doing.what) {
    case 'save':
      return (
        <PresetDialog
          title="Save as a preset"
          verb="Save"
          name=""
          save={(name) => create({ name, choice })}
          onClose={onClose}
        />
      );
    case 'rename': {
      const { preset } = doing;
      return (
        <PresetDialog
          title="Rename the preset"
          verb="Rename"
          name={preset.name}
          save={(name) => replace(preset.id, renamed(preset, name))}
          onClose={onClose}
        />
      );
    }
    case 'delete':
      return (
        <Confirm
          open
          title={`Delete the preset ${doing.preset.name}?`}
          verb="Delete"
          busy={removing.pending}
          onConfirm={() => void removing.run(doing.preset.id)}
          onCancel={onClose}
        >
          This can't be undone.
        </Confirm>
      );
  }
}

/** Returns a preset with another name. Parts of its choice that no longer exist are dropped: the server refuses them. */
function renamed({ choice }: Preset, name: string): NewPreset {
  return { name, choice: choiceOf(readControls(paramsOf(choice)).controls) };
}

/** Returns whether a preset has opened the list that is shown. */
function isSame(preset: ChoiceTexts, choice: ListChoice): boolean {
  const texts = Object.entries(choice);
  return texts.length === Object.keys(preset).length && texts.every(([key, value]) => preset[key] === value);
}
