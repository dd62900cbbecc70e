import { UserX } from 'lucide-react';
import type { DeletionsView } from '../../../contract/deletions.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { letterAllowed } from '../../frame/keys.ts';
import { SaveState } from '../../frame/save-state.tsx';
import { Screen } from '../../frame/screen.tsx';
import { useWindowKeys } from '../../frame/use-window-keys.ts';
import { cx } from '../../lib/cx.ts';
import { useRecords } from '../../stores/records.ts';
import { navigate, useRoute } from '../../stores/route.ts';
import { DeletionDetailPane } from './deletion-detail.tsx';
import { DeletionList } from './deletion-list.tsx';
import css from './deletions-screen.module.css';
import { NewRequest } from './new-request.tsx';
import { SuppressedUsers } from './suppressed-users.tsx';

/** Requests to forget users, the notices that they send, and the users whose calls are rejected since. */
export default function DeletionsScreen() {
  const view = useRecords((state) => state.deletions);
  return (
    <Screen title="Deletions" sub="Requests and the notices they produce" actions={<SaveState />}>
      {view !== undefined && <Deletions view={view} />}
    </Screen>
  );
}

function Deletions({ view }: { view: DeletionsView }) {
  const route = useRoute();
  const { requestId, view: page } = route.screen === 'deletions' ? route : { requestId: null, view: undefined };
  useNewKey();
  const shownId = page === undefined ? (requestId ?? view.requests[0]?.id ?? null) : null;
  if (page === 'new') {
    return (
      <div className={cx(css.two, css.wide)}>
        <NewRequest />
      </div>
    );
  }
  return (
    <div className={css.two}>
      <DeletionList view={view} shownId={shownId} isSuppressedShown={page === 'suppressed'} />
      {page === 'suppressed' ? (
        <SuppressedUsers view={view} />
      ) : shownId === null ? (
        <EmptyState icon={UserX} title="Who is told, and what for.">
          Each source that knows the user and has the destination on sends one delete message. A request can also erase
          what is stored about the user, and reject what comes later.
        </EmptyState>
      ) : (
        <DeletionDetailPane key={shownId} id={shownId} />
      )}
    </div>
  );
}

/** `N` begins a request. */
function useNewKey(): void {
  useWindowKeys((event) => {
    if (event.key !== 'n' || event.repeat || !letterAllowed(event)) return;
    event.preventDefault();
    navigate({ screen: 'deletions', requestId: null, view: 'new' });
  });
}
