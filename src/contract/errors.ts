/** The catalogue of contract errors. docs/errors.md lists the same codes; a test compares them. */
export const errorCodes = {
  invalid_argument: 'An argument is not of the shape that the command takes.',
  unknown_command: 'There is no such command.',
  message_not_found: 'There is no message with this id: there has been none so far, or it was removed.',
  request_not_found: 'The request is not stored any more.',
  attempt_not_found: 'There is no such attempt.',
  source_not_found: 'There is no such source.',
  webhook_not_found: 'There is no such webhook.',
  write_key_taken: 'Another source has this write key.',
  no_source: 'No enabled source exists.',
  invalid_url: 'Enter a full URL that starts with http:// or https://.',
  loop_url: 'This URL is Hookbench itself.',
  invalid_header: 'A static header is not allowed.',
  header_not_found: 'There is no such static header any more.',
  app_only: 'Only the app gives this, to the person at it.',
  too_many_events: 'A source can have at most 1,000 events switched off.',
  too_many_webhooks: 'All 5 webhooks are in use. Remove one to add another.',
  not_waiting: 'The message is not waiting for a round.',
  already_final: 'The message is already final.',
  no_delivered_body: 'Nothing of this message is stored that could be sent.',
  no_target: 'Choose a webhook, a receiver or a URL to send to.',
  replay_not_found: 'There is no replay with this id that was edited.',
  replay_job_running: 'Another replay of many messages is running. Stop it first.',
  replay_job_not_running: 'This replay does not run any more.',
  too_many_waiting_replays: '100 replays wait for another try. Stop one of them first.',
  too_many_replays: 'One replay can have at most 100,000 messages.',
  body_damaged: 'The stored body is damaged and cannot be read, so there is nothing to resend.',
  nothing_waiting: 'No message waits for a round.',
  ca_file_invalid: 'The file of authorities cannot be used.',
  receiver_not_found: 'There is no such receiver.',
  receiver_built_in: 'A built-in receiver cannot be removed.',
  too_many_receivers: 'All 50 receivers of your own are in use. Remove one to add another.',
  receivers_off: 'The receivers do not run.',
  hit_not_found: 'There is no such request; it may have left the log.',
  hit_of_log_before:
    'This request came before the receivers were started. They keep requests only until Hookbench stops.',
  no_fault_rules: 'There is no rule to turn on. Add one first.',
  fault_client_not_found: 'No request of this client is kept.',
  people_off: 'People do not run, or the stored calls cannot be read.',
  people_counting: 'Not counted yet; ask again when the count is done.',
  person_not_found: 'No stored call names this id.',
  audience_not_found: 'There is no such audience or trait.',
  audience_name_taken: 'Another one has this name.',
  too_many_audiences: 'All 500 audiences and traits are in use. Remove one to add another.',
  property_taken: 'Another audience or trait sends this property already.',
  property_needed: 'The name has no Latin letter or digit to make a property of. Type one.',
  property_locked: 'It was synced with its property, which cannot be changed. Make a copy to send another one.',
  source_fixed: 'A list of members cannot become a rule, nor a rule a list. Make a new audience.',
  not_by_hand: 'Its members come from a rule and cannot be edited.',
  import_not_found: 'There is no such import; it may have been closed.',
  import_not_ready: 'The import cannot do this now.',
  import_too_large: 'The file has more than 32 MiB or 500,000 rows.',
  sync_running: 'A sync of this audience is running.',
  sync_stopped: 'The last sync was stopped. Resume it first.',
  sync_not_found: 'There is no such sync.',
  sync_not_running: 'The sync does not run.',
  sync_not_stopped: 'The sync is not stopped.',
  deletion_not_found: 'There is no such deletion request.',
  deletion_running: 'The deletion request still runs.',
  demo_not_here: 'Nothing here can open a demo. Run hookbench demo in a terminal.',
  demo_not_running: 'This workspace is no demo.',
  demo_failed: 'The demo could not be opened.',
  search_not_found: 'There is no such search: it has ended, or newer ones took its place.',
  no_secret: 'There is no shared secret, so nothing is signed.',
  secret_unreadable: 'The shared secret cannot be read; nothing is sent unsigned.',
  store_not_writable: 'The store cannot be written.',
  port_in_use: 'The port is in use.',
  cannot_listen: 'Hookbench cannot listen on this port.',
  authority_failed: 'The local certificate authority cannot be made or read.',
  stopped: 'The engine has stopped.',
  internal: 'Something failed inside Hookbench; the log has the details.',
} as const;

export type ErrorCode = keyof typeof errorCodes;

/** An error as it crosses the contract. */
export interface ErrorValue {
  readonly code: ErrorCode;
  readonly message: string;
  /** Path of the field at fault, e.g. `headers.0.name`. */
  readonly field?: string;
}

/** Thrown on either side; crosses as an {@link ErrorValue}. */
export class ContractError extends Error {
  readonly code: ErrorCode;
  readonly field: string | undefined;
  constructor(code: ErrorCode, message: string = errorCodes[code], field?: string) {
    super(message);
    this.name = 'ContractError';
    this.code = code;
    this.field = field;
  }
}
