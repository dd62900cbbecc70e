/**
 * `POST /v1/regulations`, ours beyond the specification: a deletion request in the shape of Segment's Public API (Create
 * Workspace Regulation). The caller names itself by the write key of a source that is on, as a Bearer token or as the
 * Basic user, so that no web page can erase anything.
 */
import { isJsonObject } from '../model/call.ts';
import { parseJsonBytes } from '../model/json.ts';
import type { Source } from '../model/records.ts';
import { StoreNotWritableError } from '../ports.ts';
import { type Answer, type AnswerCode, errorAnswer, jsonAnswer, notWritable } from './answers.ts';
import { decodeBody } from './decode.ts';
import { basicUser } from './write-key.ts';

/** What is done for each type. The types for Segment's own stores alone mean nothing here. */
const TYPES = {
  DELETE_ONLY: { erase: true, suppress: 'no' },
  SUPPRESS_WITH_DELETE: { erase: true, suppress: 'yes' },
  SUPPRESS_ONLY: { erase: false, suppress: 'yes' },
  UNSUPPRESS: { erase: false, suppress: 'lift' },
} as const;
export type RegulationType = keyof typeof TYPES;

/** As Segment's API. */
const MAX_IDS = 5_000;

export interface Regulation {
  readonly type: RegulationType;
  /** Exactly as given. */
  readonly userIds: readonly string[];
}

/** Carries a regulation out. Resolves with its id once it is stored. */
export type Regulate = (regulation: Regulation) => Promise<string>;

export interface RegulationRequest {
  readonly body: Uint8Array;
  readonly encoding: string | null;
  readonly authorization: string | null;
  readonly tooLong: boolean;
}

export async function regulationAnswer(
  request: RegulationRequest,
  sourceByKey: (writeKey: string) => Source | undefined,
  regulate: Regulate,
): Promise<Answer> {
  const key = bearer(request.authorization) ?? basicUser(request.authorization);
  if (key === null || sourceByKey(key)?.enabled !== true) return UNAUTHORIZED;
  const read = readRegulation(request);
  if (typeof read === 'string') return errorAnswer(422, 'invalid_regulation' satisfies AnswerCode, read);
  try {
    return jsonAnswer({ data: { regulateId: await regulate(read) } });
  } catch (error) {
    if (error instanceof StoreNotWritableError) return notWritable();
    throw error;
  }
}

const UNAUTHORIZED = errorAnswer(
  401,
  'unauthorized' satisfies AnswerCode,
  'Send the write key of a source that is on as Bearer token or Basic user.',
);

const bearer = (authorization: string | null): string | null =>
  /^bearer +(\S+) *$/i.exec(authorization ?? '')?.[1] ?? null;

/** The regulation, or what is wrong with it. */
function readRegulation({ body, encoding, tooLong }: RegulationRequest): Regulation | string {
  const decoded = decodeBody(body, encoding);
  if (tooLong || !decoded.ok) return 'The body cannot be read: at most 500 KB, gzip or no encoding.';
  const parsed = parseJsonBytes(decoded.bytes);
  if (!parsed.ok) return parsed.problem.detail;
  if (!isJsonObject(parsed.value)) return 'The body is not a JSON object.';
  const { regulationType, subjectType, subjectIds } = parsed.value;
  if (!isType(regulationType)) return `regulationType is one of ${Object.keys(TYPES).join(', ')}.`;
  if (subjectType !== 'USER_ID') return 'subjectType is USER_ID: Hookbench deletes by user id only.';
  if (!Array.isArray(subjectIds) || subjectIds.length === 0 || subjectIds.length > MAX_IDS)
    return 'subjectIds is a list of 1 to 5,000 user ids.';
  if (!subjectIds.every((id) => typeof id === 'string' && id !== '')) return 'Every one of subjectIds is text.';
  return { type: regulationType, userIds: subjectIds as string[] };
}

const isType = (value: unknown): value is RegulationType => typeof value === 'string' && Object.hasOwn(TYPES, value);

/** What a type asks for. */
export const orderOf = (type: RegulationType): (typeof TYPES)[RegulationType] => TYPES[type];
