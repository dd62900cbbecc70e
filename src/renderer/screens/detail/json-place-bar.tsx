/** The place of the caret in a body, with copies of its path and value. */
import { Button } from '../../components/button.tsx';
import { Text } from '../../components/text.tsx';
import { placeAt, valueText } from '../../lib/json-place.ts';
import { copyAndSay } from '../../stores/copied.ts';
import css from './payload-tab.module.css';

export function copyPathAt(text: string, offset: number): void {
  const { path } = placeAt(text, offset);
  if (path !== '') void copyAndSay(path, 'Path copied');
}

export function copyValueAt(text: string, offset: number): void {
  void copyAndSay(valueText(text, placeAt(text, offset)), 'Value copied');
}

export function JsonPlaceBar({ text, offset, onFind }: { text: string; offset: number | null; onFind: () => void }) {
  const path = offset === null ? '' : placeAt(text, offset).path;
  return (
    <div className={css.place}>
      <Button size="sm" variant="ghost" title="Search in the body (Ctrl F)" onClick={onFind}>
        Find
      </Button>
      <span className="mono ellipsis secondary">
        {path === '' ? (
          <span className="muted">Choose a value in the body to copy it</span>
        ) : (
          <Text ltr max={300}>
            {path}
          </Text>
        )}
      </span>
      <span className="spacer" />
      <Button
        size="sm"
        variant="ghost"
        disabled={path === ''}
        title="Copy path (Alt P)"
        onClick={() => copyPathAt(text, offset ?? 0)}
      >
        Copy path
      </Button>
      <Button
        size="sm"
        variant="ghost"
        disabled={path === ''}
        title="Copy value (Alt V); text without its quotes"
        onClick={() => copyValueAt(text, offset ?? 0)}
      >
        Copy value
      </Button>
    </div>
  );
}
