import { type DragEvent, useLayoutEffect, useRef, useState } from 'react';
import type { AudienceRow } from '../../../../contract/audiences.ts';
import { layerOpen, typesText } from '../../../frame/keys.ts';
import { useWindowKeys } from '../../../frame/use-window-keys.ts';
import { formatCount, plural } from '../../../lib/format.ts';
import { navigate } from '../../../stores/route.ts';
import { useNow } from '../../../stores/ticker.ts';
import { showToast } from '../../../stores/toasts.ts';
import { Fact, FactsHead } from '../facts-head.tsx';
import { MembersBar } from '../members-bar.tsx';
import { lastSyncText } from '../words.ts';
import { FileRow } from './file-row.tsx';
import { ImportFoot } from './import-foot.tsx';
import css from './import-members.module.css';
import { ImportPanel } from './import-panel.tsx';
import { ImportRowsTable } from './import-rows.tsx';
import { ImportText } from './import-text.tsx';
import { UseColumns } from './use-columns.tsx';
import { useImport } from './use-import.ts';
import type { ImportMode } from './words.ts';

/** Many members from a file or a pasted text, looked at before anything changes. */
export function ImportMembers({ audience }: { audience: AudienceRow }) {
  const { id, name } = audience;
  const read = useImport(id);
  const { view, isRunning } = read;
  const [chosen, setChosen] = useState<{ of: string; mode: ImportMode } | null>(null);
  // Of another file nobody has said yet that it replaces the members.
  const mode = chosen !== null && chosen.of === view?.import ? chosen.mode : 'add';
  const canRun = view !== null && view.state === 'ready' && view.good > 0 && !isRunning;
  const leave = () => navigate({ screen: 'audiences', audienceId: id, tab: 'members' });
  const run = async (): Promise<void> => {
    if (!canRun) return;
    const changed = await read.run(mode);
    if (changed === null) return;
    leave();
    const { added, removed, unchanged } = changed;
    const others = [
      removed > 0 ? `${formatCount(removed)} removed` : '',
      unchanged > 0 ? `${formatCount(unchanged)} ${unchanged === 1 ? 'was' : 'were'} in already` : '',
    ].filter((part) => part !== '');
    showToast({
      title: `${plural(added, 'member')} added`,
      body: others.length === 0 ? undefined : `${others.join(', ')}.`,
    });
  };
  useImportKeys({
    onRun: () => void run(),
    onPaste: (text) => void read.readText(text, null),
  });
  const drop = (event: DragEvent) => {
    const file = event.dataTransfer.files[0];
    if (file === undefined) return;
    event.preventDefault();
    void read.readFile(file);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a file can also be chosen with a button
    <div className={css.import} onDragOver={(event) => event.preventDefault()} onDrop={drop}>
      <div className={css.body}>
        <section className={css.middle} aria-label={name} data-region="detail" tabIndex={-1}>
          <Head audience={audience} />
          <MembersBar by="import" without={['rule']} onBy={(by) => by === 'hand' && leave()} />
          {view === null ? (
            <ImportText
              problem={read.problem}
              onText={(text) => void read.readText(text, null)}
              onFile={read.readFile}
            />
          ) : (
            <>
              <FileRow view={view} progress={read.progress} onPaste={read.clear} onFile={read.readFile} />
              <UseColumns view={view} onChoose={(columns) => void read.choose(columns)} />
              {view.state !== 'no_column' && <ImportRowsTable view={view} />}
            </>
          )}
        </section>
        {view !== null && view.state !== 'no_column' && (
          <ImportPanel
            audience={audience}
            view={view}
            mode={mode}
            onMode={(next) => setChosen({ of: view.import, mode: next })}
          />
        )}
      </div>
      <ImportFoot
        view={view}
        members={audience.counts.members}
        mode={mode}
        problem={view === null ? null : read.problem}
        canRun={canRun}
        isRunning={isRunning}
        onCancel={leave}
        onRun={() => void run()}
      />
    </div>
  );
}

function Head({ audience }: { audience: AudienceRow }) {
  const now = useNow();
  return (
    <FactsHead audience={audience}>
      <Fact name="Members">{formatCount(audience.counts.members)}</Fact>
      <Fact name="Last sync">{lastSyncText(audience.lastSync, now)}</Fact>
    </FactsHead>
  );
}

/** Ctrl Enter imports. A text that is pasted outside of a field is read. */
function useImportKeys({ onRun, onPaste }: { onRun: () => void; onPaste: (text: string) => void }): void {
  useWindowKeys((event) => {
    // A choice that has the focus takes Enter for itself, but does nothing with it.
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || layerOpen()) return;
    event.preventDefault();
    onRun();
  });
  const paste = useRef(onPaste);
  useLayoutEffect(() => {
    paste.current = onPaste;
  });
  useLayoutEffect(() => {
    const listen = (event: ClipboardEvent) => {
      const text = event.clipboardData?.getData('text/plain') ?? '';
      if (text === '' || event.defaultPrevented || typesText(event.target) || layerOpen()) return;
      event.preventDefault();
      paste.current(text);
    };
    window.addEventListener('paste', listen);
    return () => window.removeEventListener('paste', listen);
  }, []);
}
