/** Where an origin is connected to, and its name in a request. */
export class Origin {
  /** Without brackets. */
  readonly hostname: string;
  readonly port: number;
  readonly isSecure: boolean;
  /** As the Host header names it: with brackets, and with the port unless that is the scheme's own. */
  readonly host: string;

  /** @param origin - as `URL.origin` gives it, of http or https */
  constructor(origin: string) {
    const url = new URL(origin);
    this.isSecure = url.protocol === 'https:';
    this.hostname = url.hostname.replace(/[[\]]/g, '');
    this.port = url.port === '' ? (this.isSecure ? 443 : 80) : Number(url.port);
    this.host = url.host;
  }
}
