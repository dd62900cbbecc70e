import type { ReactNode } from 'react';
import type { DeletionPreview } from '../../../contract/deletions.ts';
import { Checkbox } from '../../components/controls.tsx';
import { Text } from '../../components/text.tsx';
import { cx } from '../../lib/cx.ts';
import { formatCount } from '../../lib/format.ts';
import { type Draft, setDraft } from './draft.ts';
import { Removes } from './removes.tsx';
import css from './request-options.module.css';
import { noticesText } from './words.ts';

/** What a request does beside sending notices: what goes, and what stays. */
export function RequestOptions({
  draft,
  preview,
  ids,
}: {
  draft: Draft;
  preview: DeletionPreview | null;
  /** Different ids. */
  ids: number;
}) {
  return (
    <section className={css.options} aria-label="Also">
      <h3>Also</h3>
      <Option label="Erase stored messages" checked={draft.erase} onChange={(erase) => setDraft({ erase })}>
        <p className="secondary">
          <Removes preview={preview} />
        </p>
        <p className="muted small">{keptText(preview, draft.forget)}</p>
      </Option>
      <Option
        label="Suppress from now on"
        checked={draft.suppress}
        disabled={draft.forget}
        onChange={(suppress) => setDraft({ suppress })}
      >
        <p className="secondary">
          New calls with{' '}
          {ids <= 1 ? (
            'this id'
          ) : (
            <>
              one of the <b className="medium">{formatCount(ids)} ids</b>
            </>
          )}
          , exactly as written, are rejected with <code className="mono">user_suppressed</code> and not stored beyond
          that line. <NotSuppressed preview={preview} />
          Lift it for each id at any time.
        </p>
      </Option>
      <Option
        label="Forget the ids afterwards"
        checked={draft.forget}
        disabled={draft.suppress}
        onChange={(forget) => setDraft({ forget })}
      >
        <p className="secondary">
          Once every notice has ended, the ids are removed from this request and its notices are erased. Then nothing
          proves the deletion.{draft.suppress && ' Not together with Suppress, which needs the ids.'}
        </p>
      </Option>
    </section>
  );
}

function Option({
  label,
  checked,
  disabled = false,
  onChange,
  children,
}: {
  label: string;
  checked: boolean;
  disabled?: boolean;
  onChange: (on: boolean) => void;
  children: ReactNode;
}) {
  return (
    <div className={css.option}>
      <Checkbox label={label} checked={checked} disabled={disabled} onChange={onChange} />
      <div>
        {/* biome-ignore lint/a11y: the box beside it has this name and the keys */}
        <span
          className={cx('medium', css.label, disabled && 'muted')}
          onClick={() => {
            if (!disabled) onChange(!checked);
          }}
        >
          {label}
        </span>
        {children}
      </div>
    </div>
  );
}

function keptText(preview: DeletionPreview | null, forget: boolean): string {
  if (forget) return 'Kept: the counts of this request.';
  if (preview === null || preview.notices === 0) return 'Kept: this request, as proof.';
  return `Kept: this request and its ${preview.notices === 1 ? 'notice' : noticesText(preview.notices)}, as proof.`;
}

/** Names an id that differs only in spaces or case: nothing is guessed. */
function NotSuppressed({ preview }: { preview: DeletionPreview | null }) {
  const near = preview?.users.find(({ calls, near: [first] }) => calls === 0 && first !== undefined)?.near[0];
  if (near === undefined || preview?.users.some(({ userId }) => userId === near.userId)) return null;
  return (
    <>
      <span className="mono">
        <Text ltr max={60}>
          {near.userId}
        </Text>
      </span>{' '}
      is not suppressed.{' '}
    </>
  );
}
