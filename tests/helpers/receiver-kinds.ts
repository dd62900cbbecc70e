/**
 * Receivers of every kind over plain HTTP, with the expected result of an attempt at each (reliability, section 5.2).
 */
import { wholeAnswers } from './receiver-answers.ts';
import type { ReceiverKind } from './receiver-behaviour.ts';
import { badEndings } from './receiver-endings.ts';
import { nonsense } from './receiver-nonsense.ts';

export const receiverKinds: readonly ReceiverKind[] = [...wholeAnswers, ...badEndings, ...nonsense];
