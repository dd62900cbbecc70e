/** Why the last try to save a form failed, and at which of its fields that is said. */
import { useState } from 'react';
import { failureText } from '../../components/commit-field.tsx';
import { refusedField } from './save-failure.ts';
import { sentence } from './words.ts';

/** Both forms have a name and a property. */
type Field<Own extends string> = Own | 'name' | 'property';

export interface SaveProblem<Own extends string> {
  /** Why the last try to save failed. */
  readonly error: string | null;
  readonly errorAt: (place: Field<Own>) => string | null;
  /** Somebody wanted to save: what is missing is named. */
  readonly showsMissing: boolean;
}

interface SaveProblemSteps<Own extends string> {
  readonly problem: SaveProblem<Own>;
  readonly setError: (place: Field<Own>, text: string) => void;
  readonly setMissing: (place: Field<Own>, text: string) => void;
  /** What the engine refused stands at the field that it names, else at `place`. */
  readonly setFailure: (failure: unknown, place: Field<Own>) => void;
  readonly clear: () => void;
}

export function useSaveProblem<Own extends string>(): SaveProblemSteps<Own> {
  const [error, setError] = useState<{ place: Field<Own>; text: string } | null>(null);
  const [showsMissing, setShowsMissing] = useState(false);
  return {
    problem: {
      error: error?.text ?? null,
      errorAt: (place) => (error?.place === place ? error.text : null),
      showsMissing,
    },
    setError: (place, text) => setError({ place, text }),
    setMissing: (place, text) => {
      setShowsMissing(true);
      setError({ place, text });
    },
    setFailure: (failure, place) =>
      setError({ place: refusedField(failure) ?? place, text: sentence(failureText(failure)) }),
    clear: () => setError(null),
  };
}
