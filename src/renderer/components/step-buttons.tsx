import { ChevronLeft, ChevronRight } from 'lucide-react';
import { IconButton } from './button.tsx';

/** To the previous and the next one of a row of calls or notices. `[` and `]` do the same (frame/use-brackets.ts). */
export const StepButtons = ({
  what,
  isFirst,
  isLast,
  onMove,
}: {
  /** `call`, `notice`. */
  what: string;
  isFirst: boolean;
  isLast: boolean;
  onMove: (by: number) => void;
}) => (
  <>
    <IconButton
      size="sm"
      label={`Previous ${what}`}
      hint="Previous ["
      icon={ChevronLeft}
      disabled={isFirst}
      onClick={() => onMove(-1)}
    />
    <IconButton
      size="sm"
      label={`Next ${what}`}
      hint="Next ]"
      icon={ChevronRight}
      disabled={isLast}
      onClick={() => onMove(1)}
    />
  </>
);
