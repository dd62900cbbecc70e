/** Every command, in the order of the help. */
import { audiencesCommand } from './audiences.ts';
import { certificateCommand } from './certificate.ts';
import type { Command } from './command.ts';
import { deletionsCommand } from './deletions.ts';
import { demoCommand } from './demo.ts';
import { doctorCommand } from './doctor.ts';
import { exportCommand } from './export.ts';
import { exportConfigCommand } from './export-config.ts';
import { faultsCommand } from './faults.ts';
import { importCommand } from './import.ts';
import { attemptsCommand, messagesCommand } from './list.ts';
import { peopleCommand } from './people.ts';
import { receiveCommand } from './receive.ts';
import { replayCommand } from './replay.ts';
import { schemaCommand } from './schema.ts';
import { searchCommand } from './search.ts';
import { serveCommand } from './serve.ts';
import { statusCommand } from './status.ts';
import { clockCommand, deliveryCommand } from './steer.ts';
import { traitsCommand } from './traits.ts';
import { verifyCommand } from './verify.ts';

export const commands: readonly Command[] = [
  serveCommand,
  messagesCommand,
  attemptsCommand,
  exportCommand,
  importCommand,
  replayCommand,
  peopleCommand,
  receiveCommand,
  verifyCommand,
  statusCommand,
  searchCommand,
  clockCommand,
  deliveryCommand,
  faultsCommand,
  audiencesCommand,
  traitsCommand,
  deletionsCommand,
  demoCommand,
  doctorCommand,
  certificateCommand,
  exportConfigCommand,
  schemaCommand,
];
