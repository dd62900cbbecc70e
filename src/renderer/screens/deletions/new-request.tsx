import { Upload, X } from 'lucide-react';
import { useId, useMemo, useRef, useState } from 'react';
import type { DeletionPreview } from '../../../contract/deletions.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/dialog.tsx';
import { Kbd } from '../../components/tag.tsx';
import { Text } from '../../components/text.tsx';
import { layerOpen } from '../../frame/keys.ts';
import { useWindowKeys } from '../../frame/use-window-keys.ts';
import { cx } from '../../lib/cx.ts';
import { isApple } from '../../lib/platform.ts';
import { navigate } from '../../stores/route.ts';
import { showError, showToast } from '../../stores/toasts.ts';
import { sendRequest } from './actions.ts';
import { clearDraft, type Draft, setDraft, useDraft } from './draft.ts';
import { type DraftLines, marksOf, nearToAdd, plainLines, readDraft, sumParts } from './draft-lines.ts';
import { IdsEditor } from './ids-editor.tsx';
import css from './new-request.module.css';
import { PreviewPane } from './preview-pane.tsx';
import { RequestOptions } from './request-options.tsx';
import { confirmation, sendVerb } from './send-words.ts';
import { type PreviewState, usePreview } from './use-preview.ts';

/** A file with longer text than this has no ids in it, in bytes. */
const MOST_OF_FILE = 20_000_000;

const leave = (): void => navigate({ screen: 'deletions', requestId: null });

/** Forgets the draft, with Undo when there is something in it. */
function discard(draft: Draft): void {
  clearDraft();
  leave();
  if (draft.text === '') return;
  const undo = () => {
    setDraft(draft);
    navigate({ screen: 'deletions', requestId: null, view: 'new' });
  };
  showToast({ title: 'Request discarded', action: { label: 'Undo', run: undo } });
}

/** The ids, the options, and beside them what the request would do. */
export function NewRequest() {
  const draft = useDraft();
  const read = useMemo(() => readDraft(draft.text), [draft.text]);
  const looked = usePreview(read);
  return (
    <>
      <Form draft={draft} read={read} looked={looked} />
      <PreviewPane draft={draft} read={read} looked={looked} />
    </>
  );
}

function Form({ draft, read, looked }: { draft: Draft; read: DraftLines; looked: PreviewState }) {
  const [asked, setAsked] = useState<DeletionPreview | null>(null);
  const { preview, isOld } = looked;
  const verb = preview === null ? null : sendVerb(preview, draft);
  const isReady = preview !== null && !isOld && read.error === null && verb !== null;
  const ask = () => isReady && setAsked(preview);
  const send = async () => {
    const { erase, suppress, forget } = draft;
    if (await sendRequest({ userIds: [...read.userIds], erase, suppress, forget })) clearDraft();
  };
  useFormKeys(ask);
  const words = asked === null ? null : confirmation(asked, draft);
  return (
    <section className={css.form} aria-label="New deletion request" data-region="list">
      <Head draft={draft} />
      <div className={css.fields}>
        <Ids draft={draft} read={read} looked={looked} />
        <RequestOptions draft={draft} preview={preview} ids={new Set(read.userIds).size} />
      </div>
      <footer className={css.foot}>
        <span className="muted small">{isReady && 'Asks once more.'}</span>
        <span className="spacer" />
        <Button variant="ghost" onClick={() => discard(draft)}>
          Cancel
        </Button>
        <Button variant="primary" disabled={!isReady} onClick={ask}>
          {verb ?? 'Nothing to send'}
          {isReady && <Kbd>{isApple() ? '\u2318\u21b5' : 'Ctrl \u21b5'}</Kbd>}
        </Button>
      </footer>
      {words !== null && (
        <ConfirmDialog
          open
          title={words.title}
          verb={words.verb}
          danger={draft.erase}
          onClose={() => setAsked(null)}
          onConfirm={() => void send()}
        >
          {words.text.map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
        </ConfirmDialog>
      )}
    </section>
  );
}

function Head({ draft }: { draft: Draft }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <header className={css.head}>
      <h2>New deletion request</h2>
      <span className="spacer" />
      <Button size="sm" icon={Upload} onClick={() => input.current?.click()}>
        From file
      </Button>
      <input
        ref={input}
        type="file"
        className="visually-hidden"
        tabIndex={-1}
        aria-label="File with user ids"
        accept=".txt,.csv,text/plain"
        onChange={(event) => {
          const file = event.target.files?.[0];
          if (file !== undefined) void takeFile(file);
          event.target.value = '';
        }}
      />
      <IconButton label="Close" icon={X} size="sm" onClick={() => discard(draft)} />
    </header>
  );
}

/** Adds the lines of a file below those that are there. */
async function takeFile(file: File): Promise<void> {
  if (file.size > MOST_OF_FILE) return showError({ title: `${file.name} is too large for a list of user ids.` });
  try {
    const added = plainLines(await file.text()).replace(/\n+$/, '');
    const { text } = useDraft.getState();
    const whole = text === '' ? added : `${text.replace(/\n+$/, '')}\n${added}`;
    const { error } = readDraft(whole);
    if (error !== null) showError({ title: `Could not take ${file.name}`, body: error });
    else setDraft({ text: whole });
  } catch {
    showError({ title: `Could not read ${file.name}` });
  }
}

function Ids({ draft, read, looked }: { draft: Draft; read: DraftLines; looked: PreviewState }) {
  const about = useId();
  const { preview, isOld } = looked;
  const markFor = useMemo(() => marksOf(preview), [preview]);
  const near = nearToAdd(preview, read.userIds);
  const error = read.error ?? looked.error;
  return (
    <div className={css.ids}>
      <p className="secondary small">User ids, one in a line. Taken exactly as written.</p>
      <IdsEditor
        text={draft.text}
        lines={read.lines}
        markFor={markFor}
        describedBy={about}
        invalid={read.error !== null}
        onText={(text) => setDraft({ text: plainLines(text) })}
        onFile={(file) => void takeFile(file)}
      />
      <div className={cx('small', css.sum)}>
        <p id={about} className={error === null ? 'secondary' : css.error} role="status">
          {error !== null ? error : preview === null ? sumBefore(read) : isOld ? 'Looking.' : sumParts(preview)}
        </p>
        {near !== null && (
          <Button size="sm" onClick={() => setDraft({ text: `${draft.text.replace(/\n+$/, '')}\n${near}` })}>
            <span className="ellipsis">
              Add{' '}
              <Text ltr max={40}>
                {near}
              </Text>
            </span>
          </Button>
        )}
      </div>
    </div>
  );
}

const sumBefore = ({ userIds }: DraftLines): string =>
  userIds.length === 0 ? 'Paste one or more user ids.' : 'Looking through the stored messages.';

/** Ctrl Enter asks to send, Ctrl Shift Enter goes to the dry run, wherever the focus is. */
function useFormKeys(ask: () => void): void {
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.repeat || layerOpen()) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.shiftKey) document.querySelector<HTMLElement>('[data-region="dry-run"]')?.focus();
    else ask();
  };
  // Runs before the focused button takes Enter as a click.
  useWindowKeys(onKey, { early: true });
}
