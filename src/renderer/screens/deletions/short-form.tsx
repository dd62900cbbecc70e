import { type FormEvent, useState } from 'react';
import type { DeletionPreview } from '../../../contract/deletions.ts';
import { Button } from '../../components/button.tsx';
import { Field, Input } from '../../components/input.tsx';
import { call } from '../../platform/connect.ts';
import { navigate } from '../../stores/route.ts';
import { showFailure } from '../../stores/toasts.ts';
import { sendRequest } from './actions.ts';
import { setDraft } from './draft.ts';
import css from './short-form.module.css';
import { callsText } from './words.ts';

/** A request for one user that only sends notices. When there is nothing to send it says why and makes none. */
export function ShortForm() {
  const [typed, setTyped] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const create = async (event: FormEvent) => {
    event.preventDefault();
    if (typed === '' || isBusy) return;
    setBusy(true);
    try {
      const preview = await call('deletions.preview', { userIds: [typed] });
      if (preview.notices === 0) setError(nothingToSend(preview));
      else if (await sendRequest({ userIds: [typed] })) setTyped('');
    } catch (problem) {
      showFailure('look for this user', problem);
    } finally {
      setBusy(false);
    }
  };
  const takeOver = () => {
    setDraft({ text: typed });
    navigate({ screen: 'deletions', requestId: null, view: 'new' });
  };
  return (
    <form className={css.form} onSubmit={(event) => void create(event)}>
      <Field
        label="Delete one user"
        stacked
        error={error}
        hint="Sends one delete notice for each source that knows this user and has the destination on. Stored messages are kept."
      >
        {(control) => (
          <div className={css.line}>
            <Input
              {...control}
              mono
              boxClassName={css.box}
              placeholder="User id"
              maxLength={1_000}
              value={typed}
              onChange={(event) => {
                setTyped(event.target.value);
                setError(null);
              }}
            />
            <Button type="submit" variant="primary" disabled={typed === '' || isBusy}>
              Create request
            </Button>
          </div>
        )}
      </Field>
      {error !== null && (
        <Button size="sm" className={css.over} onClick={takeOver}>
          Erase or suppress it
        </Button>
      )}
    </form>
  );
}

/** Why a request for one user sends nothing. */
function nothingToSend({ users: [user] }: DeletionPreview): string {
  const near = user?.near[0];
  if (user !== undefined && user.calls > 0) {
    return user.cells.some(({ reason }) => reason === 'no_webhook')
      ? 'No webhook is set up, so nothing is sent.'
      : 'The sources that know this user have the destination off, so nothing is sent.';
  }
  if (near !== undefined)
    return `No source knows this user, so nothing is sent; ${near.userId} has ${callsText(near.calls)}.`;
  return 'No source knows this user, so nothing is sent.';
}
