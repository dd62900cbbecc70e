/** Lists of names that both sides use: the core's shared vocabulary, and the limits of names. */
export {
  CELL_LETTERS,
  CELLS,
  type Cell,
  DEFAULT_RETRY,
  DELETION_STATES,
  type DeletionState,
  FINAL_STATES,
  LOUD_REASONS,
  MARKS,
  type Mark,
  MESSAGE_STATES,
  MESSAGE_TYPES,
  NO_NOTICE_REASONS,
  NOT_SENDING_REASONS,
  type NoNoticeReason,
  OPEN_STATES,
  ORIGINS,
  OUTCOMES,
  PROFILE_NAMES,
  UNDER_WAY_STATES,
} from '../core/model/vocabulary.ts';

/** How many track events one source may have switched off. */
export const MAX_EVENTS_OFF = 1_000;
/** Longer names are cut in lists. Cut names can look alike, so they have no switch. */
export const MAX_EVENT_NAME = 300;

/** A write key is a Basic user name: no colon, blank or control character. */
export const WRITE_KEY_PATTERN = /^[\x21-\x39\x3b-\x7e]+$/;
