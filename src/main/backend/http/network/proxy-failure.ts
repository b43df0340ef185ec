/** A proxy that can't be reached, or doesn't let a request through. */
export class ProxyFailure extends Error {
  override readonly name = 'ProxyFailure';
  /** `host:port` */
  readonly proxy: string;
  /** What it answered; null when it can't be reached. */
  readonly status: number | null;
  /** The system's error code, or a word for what happened. */
  readonly code: string;

  constructor(proxy: string, facts: { status: number } | { code: string }) {
    super('The proxy does not let the request through');
    this.proxy = proxy;
    this.status = 'status' in facts ? facts.status : null;
    this.code = 'code' in facts ? facts.code : 'EPROXY';
  }
}
