import { ArrowUp, Eye, EyeOff, Trash2 } from 'lucide-react';
import { memo, useState } from 'react';
import { printFilter } from '../../../contract/filter.ts';
import { BUILT_IN_FILTERS, SAVED_FILTER_LIMITS } from '../../../contract/saved-filter-limits.ts';
import type { SavedFilters } from '../../../contract/saved-filters.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Field, Input } from '../../components/input.tsx';
import { Text } from '../../components/text.tsx';
import { cx } from '../../lib/cx.ts';
import { isEmpty, toFilter } from '../../stores/live/filter.ts';
import {
  builtInName,
  nameProblem,
  raised,
  renamed,
  switched,
  withFilter,
  without,
} from '../../stores/live/saved-filters.ts';
import { useLive } from '../../stores/live/store.ts';
import { useRecords } from '../../stores/records.ts';
import css from './saved-dialog.module.css';
import { saveFilters, useSaved, useSavedDialog } from './use-saved-filters.ts';

const close = () => useSavedDialog.setState({ open: false });

/** Saves the filter of the list under a name; below, the saved ones to be renamed, ordered and removed. */
export const SavedDialog = memo(function SavedDialog() {
  const open = useSavedDialog((state) => state.open);
  return (
    <Dialog open={open} onClose={close} title="Saved filters" width={560}>
      <SaveThis />
      <SavedList />
    </Dialog>
  );
});

function SaveThis() {
  const { read, problem } = useLive();
  const all = useSaved();
  const sources = useRecords((state) => state.sources);
  const filter = toFilter(read);
  const written = printFilter(filter, sources);
  const [name, setName] = useState(() => written.slice(0, SAVED_FILTER_LIMITS.name).trim());
  const [tried, setTried] = useState(false);
  if (isEmpty(read) || problem !== null) return null;
  const wrong = nameProblem(all, name);
  const save = async () => {
    setTried(true);
    if (wrong === null && (await saveFilters(withFilter(all, name.trim(), filter)))) close();
  };
  const replaces = all.filters.some((one) => one.name === name.trim());
  return (
    <form
      className={css.save}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Field
        label="Name"
        stacked
        error={tried ? wrong : null}
        hint={
          <Text ltr className="mono">
            {written}
          </Text>
        }
      >
        {(control) => (
          <Input
            {...control}
            value={name}
            onChange={(event) => setName(event.target.value)}
            onFocus={(event) => event.currentTarget.select()}
            autoFocus
          />
        )}
      </Field>
      <Button variant="primary" type="submit">
        {replaces ? 'Replace' : 'Save'}
      </Button>
    </form>
  );
}

function SavedList() {
  const all = useSaved();
  const save = (next: SavedFilters) => void saveFilters(next);
  return (
    <ul className={css.list} aria-label="Saved filters">
      {all.filters.map(({ name, filter }, place) => (
        <li key={name}>
          <NameInput all={all} place={place} />
          <FilterText filter={filter} />
          <IconButton
            label={`Move ${name} up`}
            icon={ArrowUp}
            size="sm"
            disabled={place === 0}
            onClick={() => save(raised(all, place))}
          />
          <IconButton label={`Remove ${name}`} icon={Trash2} size="sm" onClick={() => save(without(all, place))} />
        </li>
      ))}
      {BUILT_IN_FILTERS.map((key) => {
        const isHidden = all.hidden.includes(key);
        return (
          <li key={key}>
            <span className={cx(css.builtIn, isHidden && 'muted')}>{builtInName(key)}</span>
            <span className={cx('muted', css.text)}>{isHidden ? 'hidden' : 'built in'}</span>
            <IconButton
              label={`${isHidden ? 'Show' : 'Hide'} ${builtInName(key)}`}
              icon={isHidden ? Eye : EyeOff}
              size="sm"
              onClick={() => save(switched(all, key))}
            />
          </li>
        );
      })}
    </ul>
  );
}

function FilterText({ filter }: { filter: SavedFilters['filters'][number]['filter'] }) {
  const sources = useRecords((state) => state.sources);
  return (
    <span className={cx('ellipsis', 'muted', css.text)}>
      <Text ltr className="mono">
        {printFilter(filter, sources)}
      </Text>
    </span>
  );
}

/** Takes the new name when the field is left or Enter is pressed. A name that cannot be given goes back. */
function NameInput({ all, place }: { all: SavedFilters; place: number }) {
  const { name } = all.filters[place]!;
  const [text, setText] = useState(name);
  const wrong = nameProblem(all, text, place);
  const take = () => {
    if (wrong !== null) setText(name);
    else if (text.trim() !== name) void saveFilters(renamed(all, place, text.trim()));
  };
  return (
    <Input
      aria-label={`Name of ${name}`}
      invalid={wrong !== null}
      boxClassName={css.name}
      value={text}
      onChange={(event) => setText(event.target.value)}
      onBlur={take}
      onKeyDown={(event) => event.key === 'Enter' && take()}
    />
  );
}
