import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { ReceiversView, ReceiverView } from '../../../contract/receivers.ts';
import { Banner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import { SaveState } from '../../frame/save-state.tsx';
import { Screen } from '../../frame/screen.tsx';
import { useRecords } from '../../stores/records.ts';
import { navigate, useRoute } from '../../stores/route.ts';
import { HitDialog } from './hit-dialog.tsx';
import { ListenBanners } from './listen-banners.tsx';
import { NewReceiver } from './new-receiver.tsx';
import { ReceiverDetail } from './receiver-detail.tsx';
import { ReceiverTable } from './receiver-table.tsx';
import receiversCss from './receivers.module.css';
import css from './receivers-screen.module.css';
import { runningText } from './words.ts';

/** Local endpoints that misbehave on purpose: the list, and one receiver with its program and request log. */
export default function ReceiversScreen() {
  const receivers = useRecords((state) => state.receivers);
  const [adding, setAdding] = useState(false);
  return (
    <Screen
      title="Receivers"
      sub={receivers === undefined ? undefined : runningText(receivers)}
      actions={
        <>
          <SaveState />
          <Button icon={Plus} onClick={() => setAdding(true)}>
            New receiver
          </Button>
        </>
      }
    >
      {receivers !== undefined && <Receivers receivers={receivers} />}
      {adding && <NewReceiver onClose={() => setAdding(false)} onAdded={(added) => show(added.id)} />}
    </Screen>
  );
}

const show = (receiverId: string | null): void => navigate({ screen: 'receivers', receiverId }, { replace: true });

function Receivers({ receivers }: { receivers: ReceiversView }) {
  const route = useRoute();
  const { receiverId: wanted, hit } = route.screen === 'receivers' ? route : { receiverId: null, hit: undefined };
  const chosen = receivers.entries.find(({ id }) => id === wanted);
  const shown: ReceiverView | undefined = chosen ?? receivers.entries[0];
  return (
    <div className={receiversCss.two} data-chosen={chosen !== undefined}>
      <section className={css.left} aria-label="Receivers" data-region="list">
        <p className={css.intro}>
          Local endpoints that misbehave on purpose. Copy a URL into a webhook to test against it.
        </p>
        <ListenBanners receivers={receivers} />
        <ReceiverTable receivers={receivers} shownId={shown?.id ?? null} onShow={show} />
        <Banner className={css.tip} title="Self-signed is never reached.">
          The engine reads the certificate first and raises an error, so this receiver proves that no request was sent.
          Its hit count must stay 0.
        </Banner>
      </section>
      <div className={receiversCss.scrim} role="none" onClick={() => show(null)} />
      {shown !== undefined && <ReceiverDetail key={shown.id} receiver={shown} onClose={() => show(null)} />}
      {wanted !== null && hit !== undefined && (
        <HitDialog key={`${wanted} ${hit}`} receiver={wanted} hit={hit} onClose={() => show(wanted)} />
      )}
    </div>
  );
}
