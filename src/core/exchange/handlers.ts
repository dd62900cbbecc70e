/** The commands of export and import. The contract's edge has already checked their arguments. */
import type { Handlers } from '../../contract/channel.ts';
import type { importCommands } from '../../contract/exchange.ts';
import type { Exporter } from './exporter.ts';
import type { Importer } from './importer.ts';

export interface Exchange {
  readonly exporter: Exporter;
  readonly importer: Importer;
}

export const createExchangeHandlers = ({
  exporter,
  importer,
}: Exchange): Pick<Handlers, keyof typeof importCommands | 'messages.export'> => ({
  'messages.export': (asked) => exporter.slice(asked),
  'messages.importOpen': ({ deliver = false }) => importer.open(deliver).view(),
  'messages.importText': async ({ import: token, text, last }) => {
    const one = importer.get(token);
    await one.read(text, last);
    return one.view();
  },
  'messages.importClose': ({ import: token }) => {
    importer.close(token);
    return null;
  },
});
