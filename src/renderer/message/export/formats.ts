import { EXPORT_FORMATS, type ExportFormat } from '../../../contract/exchange-limits.ts';

interface FormatWords {
  readonly name: string;
  readonly file: string;
  readonly says: string;
}

export const FORMAT_WORDS: Readonly<Record<ExportFormat, FormatWords>> = {
  ndjson: { name: 'NDJSON', file: 'ndjson', says: 'One JSON object a line. An import reads it again.' },
  har: { name: 'HAR 1.2', file: 'har', says: 'Requests and answers, for HTTP tools. An import reads its calls again.' },
  csv: { name: 'CSV', file: 'csv', says: 'One row a message, for spreadsheets.' },
  curl: { name: 'curl commands', file: 'sh', says: 'A shell script that sends each call again, with $WRITE_KEY.' },
  html: { name: 'Page to share', file: 'html', says: 'One HTML file that opens without Hookbench, without scripts.' },
};

export const FORMAT_OPTIONS = EXPORT_FORMATS.map((value) => ({ value, label: FORMAT_WORDS[value].name }));
