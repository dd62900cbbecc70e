import { Fragment } from 'react';
import { CopyButton } from '../../components/copy-button.tsx';
import { Text } from '../../components/text.tsx';
import { quoted } from '../../lib/shell-word.ts';
import css from './command-line.module.css';
import panelCss from './next-sync.module.css';

/** The command that does what the page does: `hookbench audiences sync "Newsletter Readers" --wait`. */
export function SameByCommand({ parts }: { parts: readonly string[] }) {
  const words = ['hookbench', ...parts.map(quoted)];
  const line = words.join(' ');
  // An option is not broken after its hyphens.
  const options = words.filter((word) => word.startsWith('--'));
  return (
    <section className={panelCss.block} aria-label="The same by command">
      <div className="flex-row">
        <h3>The same by command</h3>
        <span className="spacer" />
        <CopyButton text={line} label="Copy command" />
      </div>
      {/* A name in another script must not turn the line around. */}
      <p className={css.line} dir="ltr">
        <span className="muted" aria-hidden="true">
          {'$ '}
        </span>
        <Text ltr>{words.filter((word) => !options.includes(word)).join(' ')}</Text>
        {options.map((option) => (
          <Fragment key={option}>
            {' '}
            <span className="nowrap">{option}</span>
          </Fragment>
        ))}
      </p>
    </section>
  );
}
