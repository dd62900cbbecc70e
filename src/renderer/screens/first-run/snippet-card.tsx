import { Terminal } from 'lucide-react';
import { useState } from 'react';
import cardCss from '../../components/card.module.css';
import codeCss from '../../components/code.module.css';
import { Tabs } from '../../components/controls.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { cx } from '../../lib/cx.ts';
import css from './first-run.module.css';
import { highlight, type Piece } from './highlight.ts';
import { snippets } from './snippets.ts';

const CLASSES: Record<Piece['kind'], string | undefined> = {
  plain: undefined,
  word: codeCss.key,
  string: codeCss.string,
  comment: codeCss.comment,
};

/** Code in six tabs, with port and key filled in. */
export function SnippetCard({ url, writeKey }: { url: string; writeKey: string }) {
  const all = snippets(url, writeKey);
  const [name, setName] = useState(all[0]!.name);
  const shown = all.find((one) => one.name === name) ?? all[0]!;
  return (
    <div className={cx(cardCss.card, css.card)}>
      <div className={css.copy}>
        <CopyButton text={shown.code} label={`Copy snippet, ${shown.name}`} size="md">
          Copy snippet
        </CopyButton>
      </div>
      <Tabs
        className={css.tabs}
        value={name}
        onChange={setName}
        items={all.map((one) => ({ value: one.name, label: one.name }))}
      >
        {/* biome-ignore lint/a11y: a long line scrolls, and must do so by keyboard; a fieldset would bring its own box */}
        <div className={cx(codeCss.code, css.code)} tabIndex={0} role="group" aria-label={`${shown.name} code`}>
          {shown.code.split('\n').map((line, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines of a text have no other name
            <div key={i} className={codeCss.line}>
              <i aria-hidden="true">{i + 1}</i>
              <b />
              <span>
                {highlight(line, shown.language).map(({ text, kind }, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a line have no other name
                  <span key={at} className={CLASSES[kind]}>
                    {text}
                  </span>
                ))}
              </span>
            </div>
          ))}
        </div>
        <footer className={cx('flex-row', css.note)}>
          <Terminal className="icon muted" aria-hidden="true" />
          <span className="mono secondary ellipsis">{shown.note}</span>
        </footer>
      </Tabs>
    </div>
  );
}
