import { History } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { ReplayJobView } from '../../contract/replays.ts';
import { Banner } from '../components/banner.tsx';
import { Button } from '../components/button.tsx';
import { jobText, jobTitle } from '../lib/words/replays.ts';
import { call } from '../platform/connect.ts';
import { forgivingStorage } from '../stores/forgiving-storage.ts';
import { useRecords } from '../stores/records.ts';
import { showFailure, showToast } from '../stores/toasts.ts';

/**
 * The replay of many messages: how far it is, with Stop; and what became of one that did not come to its end, until
 * someone has read it. The end of one that this page saw running is a toast.
 */
export function ReplayBanner() {
  const job = useRecords((state) => state.replayJob ?? null);
  const [read, setRead] = useState(() => forgivingStorage.getItem(READ));
  useEndToast(job);
  if (job === null) return null;
  if (job.state === 'running') return <Running job={job} />;
  if ((job.state !== 'failed' && job.state !== 'interrupted') || nameOf(job) === read) return null;
  const dismiss = () => {
    forgivingStorage.setItem(READ, nameOf(job));
    setRead(nameOf(job));
  };
  return (
    <Banner
      page
      tone="warn"
      alert
      title={jobTitle(job)}
      actions={
        <Button size="sm" onClick={dismiss}>
          Dismiss
        </Button>
      }
    >
      <span className="secondary">{jobText(job)}</span>
    </Banner>
  );
}

function Running({ job }: { job: ReplayJobView }) {
  const [isStopping, setStopping] = useState(false);
  const stop = async (): Promise<void> => {
    setStopping(true);
    try {
      await call('replay.stopBulk', { id: job.id });
    } catch (error) {
      showFailure('stop the replay', error);
    }
    setStopping(false);
  };
  return (
    <Banner
      page
      icon={History}
      title={jobTitle(job)}
      actions={
        <Button size="sm" disabled={isStopping} onClick={() => void stop()}>
          Stop
        </Button>
      }
    >
      <span className="secondary">{jobText(job)}</span>
    </Banner>
  );
}

function useEndToast(job: ReplayJobView | null): void {
  const running = useRef<number | null>(null);
  useEffect(() => {
    if (job === null) return;
    if (job.state === 'running') running.current = job.id;
    else if (running.current === job.id) {
      running.current = null;
      if (job.state === 'done' || job.state === 'stopped') showToast({ title: jobTitle(job), body: jobText(job) });
    }
  }, [job]);
}

const READ = 'hookbench.replay-job-read';

/** Each start of a demo counts jobs anew, so the time tells them apart. */
const nameOf = ({ id, createdAt }: ReplayJobView): string => `${id}@${createdAt}`;
