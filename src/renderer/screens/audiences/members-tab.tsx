import { Plus, SearchX, Upload, UserMinus, Users } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { AudienceRow, MemberRow } from '../../../contract/audiences.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { SearchInput } from '../../components/input.tsx';
import layoutCss from '../../components/layout.module.css';
import { SkeletonRows } from '../../components/skeleton-rows.tsx';
import { HeadCell, TableCell, TableRow } from '../../components/table-parts.tsx';
import tableCss from '../../components/table-rows.module.css';
import { Text } from '../../components/text.tsx';
import { UserId } from '../../components/user-id.tsx';
import { VirtualRows } from '../../components/virtual-rows.tsx';
import { cx } from '../../lib/cx.ts';
import { formatClock, formatIso } from '../../lib/format.ts';
import { call } from '../../platform/connect.ts';
import { navigate } from '../../stores/route.ts';
import { usePages } from '../../stores/use-pages.ts';
import { removeMember } from './actions.ts';
import { AddMembers } from './add-members.tsx';
import css from './members-tab.module.css';
import { Failed } from './pending-tab.tsx';
import { ReloadStrip } from './reload-strip.tsx';

const WINDOW = 500;
const ROW_HEIGHT = 32;
/** How long typing rests before the search runs, in milliseconds. */
const REST_MS = 150;

/** Who is in: found by a part of the id, added and removed by hand. */
export function MembersTab({ audience }: { audience: AudienceRow }) {
  const { id, counts, lastSync, by } = audience;
  const [typed, setTyped] = useState('');
  const [isAdding, setAdding] = useState(false);
  const search = useRested(typed, REST_MS);
  const version = `${JSON.stringify(counts)} ${lastSync?.id} ${lastSync?.state}`;
  const pages = usePages<MemberRow>(
    `${id} ${search}`,
    version,
    (after) => call('audiences.members', { id, after, limit: WINDOW, ...(search === '' ? {} : { search }) }),
    String(id),
  );
  return (
    <>
      <div className={css.tools}>
        <SearchInput
          label="Find a member"
          placeholder="Find a member"
          maxLength={200}
          value={typed}
          onValue={setTyped}
        />
        <span className="spacer" />
        {by === 'hand' && (
          <Button
            icon={Upload}
            onClick={() => navigate({ screen: 'audiences', audienceId: id, tab: 'members', page: 'import' })}
          >
            Import
          </Button>
        )}
        {by === 'hand' && (
          <Button icon={Plus} onClick={() => setAdding(true)}>
            Add members
          </Button>
        )}
      </div>
      {pages.state === 'failed' ? (
        <Failed onAgain={pages.reload} />
      ) : pages.state === 'loading' ? (
        <SkeletonRows rowHeight={ROW_HEIGHT} />
      ) : pages.rows.length === 0 ? (
        <Nobody isSearch={search !== ''} onAdd={by === 'hand' ? () => setAdding(true) : null} />
      ) : (
        <VirtualRows
          label="Members"
          className={cx(css.members, !pages.rows.some(({ label }) => label !== null) && css.noLabel)}
          count={pages.rows.length}
          total={search === '' ? counts.members : pages.rows.length}
          rowHeight={ROW_HEIGHT}
          more={pages.more}
          head={<MembersHead />}
          row={(index) => {
            const row = pages.rows[index]!;
            return <Member key={row.userId} row={row} index={index} audience={audience} />;
          }}
        />
      )}
      <ReloadStrip pages={pages} />
      {isAdding && <AddMembers audience={audience} onClose={() => setAdding(false)} />}
    </>
  );
}

function Nobody({ isSearch, onAdd }: { isSearch: boolean; onAdd: (() => void) | null }) {
  if (isSearch) return <EmptyState icon={SearchX} title="No member matches." />;
  return (
    <EmptyState
      icon={Users}
      title="No member yet."
      actions={
        onAdd !== null && (
          <Button variant="primary" icon={Plus} onClick={onAdd}>
            Add members
          </Button>
        )
      }
    >
      Nothing is sent before a sync.
    </EmptyState>
  );
}

const MembersHead = () => (
  <TableRow className={cx(tableCss.head, css.row)}>
    <HeadCell>User</HeadCell>
    <HeadCell className={css.label}>Label</HeadCell>
    <HeadCell>Webhooks</HeadCell>
    <HeadCell className={layoutCss.right}>Since</HeadCell>
    <HeadCell>
      <span className="visually-hidden">Actions</span>
    </HeadCell>
  </TableRow>
);

function Member({ row, index, audience }: { row: MemberRow; index: number; audience: AudienceRow }) {
  const { userId, label, told, since } = row;
  return (
    <TableRow className={cx(tableCss.row, css.row)} aria-rowindex={index + 2}>
      <TableCell className="mono ellipsis" title={userId}>
        <UserId>{userId}</UserId>
      </TableCell>
      <TableCell className={cx('secondary ellipsis', css.label)} title={label ?? undefined}>
        {label !== null && <Text>{label}</Text>}
      </TableCell>
      <TableCell className={told ? 'secondary' : 'muted'}>{told ? 'Told' : 'Not told yet'}</TableCell>
      <TableCell className={cx('mono secondary', layoutCss.right)} title={formatIso(since)}>
        {formatClock(since)}
      </TableCell>
      <TableCell>
        {audience.by === 'hand' && (
          <IconButton
            size="sm"
            label={`Remove ${userId}`}
            hint="Remove"
            icon={UserMinus}
            onClick={() => void removeMember(audience, userId)}
          />
        )}
      </TableCell>
    </TableRow>
  );
}

/** The value after it has not changed for this long. */
function useRested(value: string, ms: number): string {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return rested;
}
