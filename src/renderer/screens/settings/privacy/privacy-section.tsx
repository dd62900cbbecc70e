import { FilesCard } from './files-card.tsx';
import { LeavingCard } from './leaving-card.tsx';
import { LogCard } from './log-card.tsx';
import { MaskedCard } from './masked-card.tsx';
import { SecretsCard } from './secrets-card.tsx';

/** What leaves this machine, what exports leave out, and where everything is kept. */
export const PrivacySection = () => (
  <>
    <LeavingCard />
    <MaskedCard />
    <SecretsCard />
    <FilesCard />
    <LogCard />
  </>
);
