/** The signature lab: why the digest that a receiver computed is not the X-Signature that was sent. */
import { useState } from 'react';
import type { SignedAttempt } from '../../../contract/signature-lab.ts';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { TryAgain } from '../../components/try-again.tsx';
import { Screen } from '../../frame/screen.tsx';
import { bytesOfBase64 } from '../../message/body.ts';
import { useRecords } from '../../stores/records.ts';
import { navigate, useRoute } from '../../stores/route.ts';
import { AttemptPanel } from './attempt-panel.tsx';
import { BytesField } from './bytes-field.tsx';
import { DigestField } from './digest-field.tsx';
import { HazardList } from './hazard-list.tsx';
import { PickAttempt } from './pick-attempt.tsx';
import { SecretField } from './secret-field.tsx';
import css from './signature-screen.module.css';
import { useCompared, useSignedAttempt, useVariants } from './use-answers.ts';
import { useSearch } from './use-search.ts';
import { VariantList } from './variant-list.tsx';
import { VerdictPanel } from './verdict-panel.tsx';

/** The screen of the route `#/signature/:attemptId?`. */
export default function SignatureRoute() {
  const route = useRoute();
  return <SignatureScreen attemptId={route.screen === 'signature' ? route.attemptId : null} />;
}

export function SignatureScreen({ attemptId }: { attemptId: number | null }) {
  return (
    <Screen title="Signature lab" sub="Find out why a digest does not match">
      {attemptId === null ? <PickAttempt /> : <Lab key={attemptId} attemptId={attemptId} />}
    </Screen>
  );
}

const pickAnother = (): void => navigate({ screen: 'signature', attemptId: null });

function Lab({ attemptId }: { attemptId: number }) {
  const [asked, again] = useSignedAttempt(attemptId);
  if (asked.state === 'failed')
    return (
      <EmptyState
        title="This attempt cannot be shown."
        actions={
          <>
            <TryAgain onAgain={again} />
            <Button onClick={pickAnother}>Pick a message</Button>
          </>
        }
      >
        {asked.message}
      </EmptyState>
    );
  if (asked.state === 'loading') return <div className={css.two} aria-busy="true" />;
  return <Workbench shown={asked.value} />;
}

function Workbench({ shown }: { shown: SignedAttempt }) {
  const { id } = shown.attempt;
  const shared = useRecords((state) => state.destination?.secret ?? null);
  const [digest, setDigest] = useState('');
  const [typed, setTyped] = useState<string | null>(null);
  const [bytes, setBytes] = useState<Uint8Array | null>(null);
  const hasSecret = typed === null ? shared?.state === 'set' : typed !== '';
  // A new shared secret gives another expected signature, and everything is asked again.
  const key = typed ?? `shared ${shown.expected ?? ''}`;
  const compared = useCompared({ attemptId: id, bytes: hasSecret ? bytes : null, secret: typed, key });
  const search = useSearch({
    attemptId: id,
    digest: hasSecret ? digest || compared?.digest || '' : '',
    secret: typed,
    key,
  });
  const variants = useVariants({ attemptId: id, hasSecret, secret: typed, key });
  const sent = bytesOfBase64(shown.bodyBase64);
  const problem = search.state === 'done' && search.verdict.kind === 'not_a_digest' ? search.verdict.problem : null;
  return (
    <div className={css.two}>
      <section className={css.left} aria-label="What to compare" data-region="input">
        <AttemptPanel shown={shown} bytes={sent} onPick={pickAnother} />
        <SecretField secret={shared} typed={typed} onType={setTyped} />
        <DigestField digest={digest} problem={problem} onDigest={setDigest} />
        <BytesField bytes={bytes} onBytes={setBytes} />
      </section>
      <section className={css.right} aria-label="Verdict" data-region="verdict">
        <VerdictPanel
          shown={shown}
          sent={sent}
          digest={digest}
          search={search}
          bytes={bytes}
          compared={compared}
          isTyped={typed !== null}
        />
        <HazardList hazards={shown.hazards} />
        {variants !== null && (
          <VariantList
            variants={variants}
            verdict={search.state === 'done' ? search.verdict : null}
            digest={digest || compared?.digest || ''}
          />
        )}
      </section>
    </div>
  );
}
