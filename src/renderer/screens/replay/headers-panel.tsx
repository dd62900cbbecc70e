/** The headers of a replay: those that Hookbench sends itself, and those that a person adds. */
import { Plus, X } from 'lucide-react';
import type { HeaderView } from '../../../contract/values.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { Input } from '../../components/input.tsx';
import { HeaderList } from '../../message/header-list.tsx';
import css from './headers-panel.module.css';

export interface OwnHeader {
  readonly name: string;
  readonly value: string;
}

const MAX_HEADERS = 50;

export interface HeadersPanelProps {
  readonly ours: readonly HeaderView[];
  readonly own: readonly OwnHeader[];
  readonly onOwn: (own: readonly OwnHeader[]) => void;
}

export function HeadersPanel({ ours, own, onOwn }: HeadersPanelProps) {
  const change = (at: number, next: Partial<OwnHeader>) =>
    onOwn(own.map((header, i) => (i === at ? { ...header, ...next } : header)));
  return (
    <div className={css.panel}>
      <HeaderList headers={ours} />
      <p className="muted small">
        Each webhook also gets its static headers. One of the same name below replaces it. Other URLs get only these.
      </p>
      <ul className={css.own}>
        {own.map(({ name, value }, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a header is its place, because names may repeat
          <li key={i}>
            <Input
              mono
              aria-label={`Name of header ${i + 1}`}
              placeholder="Name"
              value={name}
              onChange={(event) => change(i, { name: event.target.value })}
            />
            <Input
              mono
              aria-label={`Value of header ${i + 1}`}
              placeholder="Value"
              value={value}
              onChange={(event) => change(i, { value: event.target.value })}
            />
            <IconButton
              label={`Remove header ${i + 1}`}
              icon={X}
              onClick={() => onOwn(own.filter((_, other) => other !== i))}
            />
          </li>
        ))}
      </ul>
      <Button
        size="sm"
        icon={Plus}
        disabled={own.length >= MAX_HEADERS}
        onClick={() => onOwn([...own, { name: '', value: '' }])}
      >
        Add header
      </Button>
      <p className="muted small">Values that you add are stored by their length alone.</p>
    </div>
  );
}
