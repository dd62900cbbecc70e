import { Download } from 'lucide-react';
import { useState } from 'react';
import type { PlannedNotice } from '../../../contract/deletions.ts';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { cx } from '../../lib/cx.ts';
import { quoted } from '../../lib/shell-word.ts';
import { call } from '../../platform/connect.ts';
import { saveAndSay } from '../../stores/saved.ts';
import { showFailure } from '../../stores/toasts.ts';
import blockCss from './blocks.module.css';
import type { Draft } from './draft.ts';
import css from './same-by-command.module.css';

/** More ids than this go into a file. */
const MOST_OPTIONS = 3;
/** Notices of one answer. */
const PAGE = 1_000;
const FILE = 'deletion-dry-run.json';

/** The command line that prints the same dry run, and the dry run as a file. */
export function SameByCommand({ draft, userIds }: { draft: Draft; userIds: readonly string[] }) {
  const [isBusy, setBusy] = useState(false);
  const words = commandWords(draft, userIds);
  const save = async () => {
    setBusy(true);
    try {
      await saveAndSay(FILE, await dryRunJson(userIds));
    } catch (error) {
      showFailure('make the dry run', error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <section className={blockCss.block} aria-label="The same by command">
      <div className={cx('flex-row', blockCss.heading)}>
        <h3>The same by command</h3>
        <span className="spacer" />
        <CopyButton text={words.join(' ')} label="Copy the command" />
      </div>
      <pre className={cx('mono', css.command)} dir="ltr">
        <span className="muted" aria-hidden="true">
          ${' '}
        </span>
        {words.map((word, i) => (
          <span key={word}>
            {i > 0 && '  '}
            {word}
            {i < words.length - 1 && ' \\\n'}
          </span>
        ))}
      </pre>
      <p className={cx('muted small', blockCss.note)}>
        {words.some((word) => word.startsWith('--file')) && 'ids.txt has the ids, one in a line. '}
        Nothing is sent, erased or suppressed by a dry run.
      </p>
      <Button className={css.save} icon={Download} disabled={isBusy} onClick={() => void save()}>
        Save the dry run as JSON
      </Button>
    </section>
  );
}

/** The command, an option with its value in each entry after the first. */
export function commandWords(
  { erase, suppress, forget }: Pick<Draft, 'erase' | 'suppress' | 'forget'>,
  userIds: readonly string[],
): string[] {
  const different = [...new Set(userIds)];
  const who =
    different.length <= MOST_OPTIONS ? different.map((userId) => `--user=${quoted(userId)}`) : ['--file ids.txt'];
  const options = [erase && '--erase', suppress && '--suppress', forget && '--forget'];
  return ['hookbench deletions add', ...who, ...options.filter((option) => option !== false), '--dry-run'];
}

/** What `hookbench deletions add --dry-run --json` prints. */
async function dryRunJson(given: readonly string[]): Promise<string> {
  const userIds = [...given];
  const preview = await call('deletions.preview', { userIds });
  const notices: PlannedNotice[] = [];
  for (let from = 1; from <= preview.notices; from += PAGE) {
    const page = await call('deletions.dryRun', { userIds, from, count: PAGE });
    notices.push(...page.notices);
    if (page.notices.length < PAGE) break;
  }
  return `${JSON.stringify({ preview, notices }, null, 2)}\n`;
}
