import { type FormEvent, type RefObject, useId, useRef, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Field, Input } from '../../components/input.tsx';
import { formatDateTime } from '../../lib/format.ts';
import { jumpTime } from '../../lib/jump-time.ts';
import { useJumpDialog } from '../../stores/live/jump-dialog.ts';
import { liveStream } from '../../stores/live/store.ts';
import type { TimePlace } from '../../stores/live/time-place.ts';
import { showFailure, showToast } from '../../stores/toasts.ts';
import type { GridHandle } from './grid/message-grid.tsx';

const close = (): void => useJumpDialog.setState({ open: false });
const focusedRow = (): HTMLElement | null =>
  document.querySelector<HTMLElement>('[role="grid"] [role="row"][tabindex="0"]');

/** Asks for a time, and shows the row that was received nearest to it. */
export function JumpDialog({ grid }: { grid: RefObject<GridHandle | null> }) {
  const open = useJumpDialog((state) => state.open);
  const form = useId();
  const [busy, setBusy] = useState(false);
  /** Whether a row has the focus now; else it goes back to where it was. */
  const [moved, setMoved] = useState(false);
  /** Increases with each question, so that one that was given up moves nothing. */
  const asks = useRef(0);
  const end = () => {
    asks.current += 1;
    setBusy(false);
    close();
  };
  const jump = async (time: number) => {
    asks.current += 1;
    const mine = asks.current;
    setBusy(true);
    setMoved(false);
    try {
      const place = await liveStream.placeOfTime(time);
      if (mine !== asks.current) return;
      if (place !== null) await shown(grid, place.position);
      setMoved(place !== null);
      tell(place, time);
    } catch (error) {
      if (mine === asks.current) showFailure('jump to a time', error);
    }
    if (mine === asks.current) end();
  };
  return (
    <Dialog
      open={open}
      onClose={end}
      title="Jump to time"
      width={420}
      returnTo={moved ? focusedRow : undefined}
      actions={
        <>
          <Button onClick={end}>Cancel</Button>
          <Button type="submit" form={form} variant="primary" disabled={busy}>
            {busy ? 'Reading the list' : 'Jump'}
          </Button>
        </>
      }
    >
      <TimeForm id={form} busy={busy} onJump={(time) => void jump(time)} />
    </Dialog>
  );
}

/** Mounted with the dialog, so it starts fresh each time. */
function TimeForm({ id, busy, onJump }: { id: string; busy: boolean; onJump: (time: number) => void }) {
  const [text, setText] = useState('');
  const [error, setError] = useState<string | null>(null);
  const time = jumpTime(text, Date.now());
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    if (time !== null) return onJump(time);
    const what = text.trim() === '' ? 'Enter a time.' : `"${text.trim().slice(0, 40)}" is not a time.`;
    setError(`${what} Write 14:32, yesterday 9:00, 2026-01-31 14:32 or 10m.`);
  };
  return (
    <form id={id} noValidate onSubmit={submit}>
      <Field
        label="Time"
        error={error}
        hint={
          time === null ? '14:32, yesterday 9:00, 2026-01-31 14:32, or 10m for ten minutes ago.' : formatDateTime(time)
        }
      >
        {(control) => (
          <Input
            {...control}
            autoFocus
            maxLength={60}
            value={text}
            onChange={(event) => {
              setText(event.target.value);
              setError(null);
            }}
          />
        )}
      </Field>
    </form>
  );
}

/** Rows that were read a moment ago are drawn in the next frame. */
const shown = (grid: RefObject<GridHandle | null>, position: number): Promise<void> =>
  new Promise((done) => {
    requestAnimationFrame(() => {
      grid.current?.goTo(position);
      done();
    });
  });

function tell(place: TimePlace | null, time: number): void {
  if (place === null) return showToast({ title: 'The list is empty' });
  if (place.lacks === null) return;
  const end = place.lacks === 'earlier' ? 'oldest' : 'newest';
  showToast({
    title: `No message at that time or ${place.lacks}`,
    body: `The list has none from ${formatDateTime(time)} or ${place.lacks}. This is its ${end} one.`,
  });
}
