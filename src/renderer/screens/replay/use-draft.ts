/** The body of a replay while a person edits it. The engine signs and checks what would be sent. */
import { useEffect, useMemo, useState } from 'react';
import type { ReplayPreview } from '../../../contract/replays.ts';
import { failureText } from '../../components/commit-field.tsx';
import { byteLength } from '../../lib/format.ts';
import { compactJson, prettyJson } from '../../lib/json.ts';
import { bytesOfBase64, type ShownBody, showBytes } from '../../message/body.ts';
import { call } from '../../platform/connect.ts';
import { type EditedLines, editedLines } from './edited-lines.ts';

/** The engine is asked this long after the last key. */
const REST_MS = 120;

export interface ReplayOptions {
  readonly sign: boolean;
  readonly newTimestamp: boolean;
  /** Every target gets it, whatever another one answers. */
  readonly all: boolean;
  readonly retry: boolean;
}

export interface Draft {
  /** What is stored; null until it is read. */
  readonly stored: Stored | null;
  /** Why it cannot be read. */
  readonly failure: string | null;
  readonly text: string;
  readonly isEdited: boolean;
  readonly edited: EditedLines;
  /** What is sent in place of the stored bytes; undefined sends those. */
  readonly body: string | undefined;
  readonly bytes: number;
  /** Why an edited body cannot be sent. */
  readonly problem: ReplayPreview['problem'];
  /** The headers of the newest preview. */
  readonly headers: ReplayPreview['headers'];
  edit(text: string): void;
  reset(): void;
}

export interface Stored {
  readonly preview: ReplayPreview;
  /** Indented, when it is JSON. */
  readonly text: string;
  readonly shown: ShownBody;
  readonly bytes: number;
}

const NO_JSON: NonNullable<ReplayPreview['problem']> = { line: null, text: 'The body is not valid JSON.' };
const NO_LINES: EditedLines = { marks: [], count: 0 };

export function useDraft(id: number, options: ReplayOptions): Draft {
  const [stored, failure] = useStored(id);
  const [typed, setTyped] = useState<string | null>(null);
  const original = stored?.text ?? '';
  const text = typed ?? original;
  const isEdited = typed !== null && typed !== original;
  const { body, isJson } = useMemo(() => bodyOf(text, isEdited), [text, isEdited]);
  const preview = usePreview(id, stored, body, options);
  const edited = useMemo(() => (isEdited ? editedLines(original, text) : NO_LINES), [isEdited, original, text]);
  return {
    stored,
    failure,
    text,
    isEdited,
    edited,
    body,
    bytes: body === undefined ? (stored?.bytes ?? 0) : byteLength(body),
    problem: isEdited && !isJson ? (preview?.problem ?? NO_JSON) : null,
    headers: preview?.headers ?? [],
    edit: setTyped,
    reset: () => setTyped(null),
  };
}

/** White space is dropped again, as from every delivered body. Text that is no JSON stays as it is. */
function bodyOf(text: string, isEdited: boolean): { body: string | undefined; isJson: boolean } {
  if (!isEdited) return { body: undefined, isJson: true };
  try {
    JSON.parse(text);
  } catch {
    return { body: text, isJson: false };
  }
  return { body: compactJson(text), isJson: true };
}

function useStored(id: number): [Stored | null, string | null] {
  const [state, setState] = useState<[Stored | null, string | null]>([null, null]);
  useEffect(() => {
    let isHere = true;
    call('replay.preview', { id }).then(
      (preview) => isHere && setState([storedOf(preview), null]),
      (error: unknown) => isHere && setState([null, failureText(error)]),
    );
    return () => {
      isHere = false;
    };
  }, [id]);
  return state;
}

function storedOf(preview: ReplayPreview): Stored {
  const bytes = bytesOfBase64(preview.bodyBase64);
  const shown = showBytes(bytes, false);
  return { preview, shown, bytes: bytes.length, text: shown.kind === 'text' ? prettyJson(shown.text) : '' };
}

/** The newest answer; while another is asked for, the one before. */
function usePreview(
  id: number,
  stored: Stored | null,
  body: string | undefined,
  { sign, newTimestamp }: Pick<ReplayOptions, 'sign' | 'newTimestamp'>,
): ReplayPreview | null {
  const [preview, setPreview] = useState<ReplayPreview | null>(null);
  const isReady = stored !== null;
  useEffect(() => {
    if (!isReady) return;
    let isHere = true;
    const ask = () => {
      call('replay.preview', { id, body, sign, newTimestamp }).then(
        (answer) => isHere && setPreview(answer),
        () => {},
      );
    };
    const timer = setTimeout(ask, REST_MS);
    return () => {
      isHere = false;
      clearTimeout(timer);
    };
  }, [id, isReady, body, sign, newTimestamp]);
  return preview ?? stored?.preview ?? null;
}
