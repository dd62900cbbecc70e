import { Plus } from 'lucide-react';
import { type KeyboardEvent, useRef } from 'react';
import type { AudienceRow, AudiencesView } from '../../../contract/audiences.ts';
import { IconButton } from '../../components/button.tsx';
import { Seg } from '../../components/controls.tsx';
import { Grid, GridCell, TableRow } from '../../components/table-parts.tsx';
import { Text } from '../../components/text.tsx';
import toneCss from '../../components/tone.module.css';
import { cx } from '../../lib/cx.ts';
import { formatCount } from '../../lib/format.ts';
import css from './audience-list.module.css';
import { DraftEntry } from './draft-entry.tsx';
import { KIND_WORDS } from './traits/trait-words.ts';
import { isRunning, membersText, stateText } from './words.ts';

export type ListKind = 'audiences' | 'traits';

/** Every audience with its members and what is to be sent. The arrows move the selection; Enter goes to the detail. */
export function AudienceList({
  view,
  kind,
  shownId,
  draft,
  onKind,
  onShow,
  onDraft,
  onNew,
}: {
  view: AudiencesView;
  kind: ListKind;
  shownId: number | null;
  /** The name of a new audience that is not saved yet; null without one. */
  draft: string | null;
  onDraft: () => void;
  onKind: (kind: ListKind) => void;
  onShow: (id: number) => void;
  onNew: () => void;
}) {
  const { audiences, traits } = view;
  const isTraits = kind === 'traits';
  const rows = isTraits ? traits : audiences;
  return (
    <section
      className={css.list}
      aria-label={kind === 'audiences' ? 'Audiences' : 'Computed traits'}
      data-region="list"
    >
      <div className={css.tools}>
        <Seg
          label="Audiences or computed traits"
          value={kind}
          options={[
            { value: 'audiences', label: 'Audiences', extra: formatCount(audiences.length) },
            { value: 'traits', label: 'Traits', extra: formatCount(traits.length) },
          ]}
          onChange={onKind}
        />
        <span className="spacer" />
        {rows.length > 0 && (
          <IconButton label={isTraits ? 'New trait' : 'New audience'} icon={Plus} size="sm" bordered onClick={onNew} />
        )}
      </div>
      {draft !== null && <DraftEntry isTrait={isTraits} name={draft} isShown={shownId === null} onShow={onDraft} />}
      {rows.length > 0 && <Entries key={kind} rows={rows} kind={kind} shownId={shownId} onShow={onShow} />}
    </section>
  );
}

function Entries({
  rows,
  kind,
  shownId,
  onShow,
}: {
  rows: readonly AudienceRow[];
  kind: ListKind;
  shownId: number | null;
  onShow: (id: number) => void;
}) {
  const list = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const at = rows.findIndex(({ id }) => id === shownId);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key];
    if (event.key === 'Enter') {
      event.preventDefault();
      document.querySelector<HTMLElement>('[data-region="detail"]')?.focus();
      return;
    }
    const target = to === undefined ? undefined : rows[to];
    if (target === undefined) return;
    event.preventDefault();
    onShow(target.id);
    list.current?.querySelectorAll<HTMLElement>('[role="row"]')[to!]?.focus();
  };
  const stop = rows.some(({ id }) => id === shownId) ? shownId : rows[0]?.id;
  return (
    <Grid
      ref={list}
      className={css.entries}
      aria-label={kind === 'traits' ? 'All computed traits' : 'All audiences'}
      onKeyDown={move}
      tabIndex={-1}
    >
      {rows.map((audience) => {
        const { id, name, property, lastSync, computes } = audience;
        return (
          <TableRow
            key={id}
            className={css.entry}
            aria-selected={id === shownId}
            tabIndex={id === stop ? 0 : -1}
            onClick={() => onShow(id)}
          >
            <GridCell className="medium ellipsis" title={name}>
              <Text>{name}</Text>
            </GridCell>
            <GridCell className="secondary nowrap">{membersText(audience)}</GridCell>
            {computes !== null && (
              <GridCell className={cx('small secondary', css.computes)}>{KIND_WORDS[computes]}</GridCell>
            )}
            <GridCell className="mono muted ellipsis" title={property}>
              {property}
            </GridCell>
            <GridCell className={cx('small nowrap', isRunning(lastSync) ? toneCss.accent : 'muted')}>
              {stateText(audience)}
            </GridCell>
          </TableRow>
        );
      })}
    </Grid>
  );
}
