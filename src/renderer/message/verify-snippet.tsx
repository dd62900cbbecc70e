/** Code that verifies X-Signature, in the language of the receiver. The choice is kept while the window is open. */
import { useState } from 'react';
import cardCss from '../components/card.module.css';
import codeCss from '../components/code.module.css';
import { CopyButton } from '../components/copy-button.tsx';
import { ScrollRegion } from '../components/scroll-region.tsx';
import { Select } from '../components/select.tsx';
import { cx } from '../lib/cx.ts';
import css from './verify-snippet.module.css';
import { VERIFY_LANGUAGES, VERIFY_SNIPPETS, type VerifyLanguage } from './verify-snippets.ts';

const OPTIONS = VERIFY_LANGUAGES.map((value) => ({ value, label: value }));
let last: VerifyLanguage = 'Node.js';

/** `suggested` is shown until a person chooses. `short` scrolls after a few lines. */
export function VerifySnippet({
  title,
  suggested,
  short = false,
}: {
  title: string;
  suggested?: VerifyLanguage | undefined;
  short?: boolean;
}) {
  const [chosen, setChosen] = useState<VerifyLanguage | null>(null);
  const language = chosen ?? suggested ?? last;
  const code = VERIFY_SNIPPETS[language];
  const choose = (next: VerifyLanguage): void => {
    last = next;
    setChosen(next);
  };
  return (
    <section aria-label={title}>
      <div className={cx('flex-row', css.head)}>
        <h3>{title}</h3>
        <span className="spacer" />
        <Select label="Language" value={language} options={OPTIONS} onChange={choose} />
        <CopyButton label={`Copy code, ${language}`} text={code} size="md">
          Copy
        </CopyButton>
      </div>
      <ScrollRegion
        className={cx(cardCss.card, codeCss.code, css.code, short && css.short)}
        aria-label={`${language} code`}
      >
        {code.split('\n').map((line, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines of a text have no other name
          <div key={i} className={codeCss.line}>
            <i aria-hidden="true">{i + 1}</i>
            <b />
            <span className={/^\s*(?:\/\/|#)/.test(line) ? codeCss.comment : undefined}>{line}</span>
          </div>
        ))}
      </ScrollRegion>
    </section>
  );
}
