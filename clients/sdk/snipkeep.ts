import { Account, History, Keys } from './account.js'
import type { Auth } from './auth.js'
import { Events } from './events.js'
import type { SnipkeepError } from './problem-error.js'
import { Shares } from './shares.js'
import { Snippets } from './snippets.js'
import { type ApiRequest, type CallOptions, createTransport, type Transport } from './transport.js'
import { TrustedPublishers } from './trusted-publishers.js'

export interface SnipkeepOptions {
  /** Where Snipkeep is, such as `https://snippets.example`. */
  readonly server: string
  /** Who calls; without it only what is public can be read. */
  readonly auth?: Auth | undefined
  /** How often a request is retried after trouble that passes; 3 unless set. */
  readonly retries?: number | undefined
  /** In place of the global `fetch`. */
  readonly fetch?: typeof fetch | undefined
  /** What the server's log says of the caller; not in browsers. */
  readonly userAgent?: string | undefined
  /** Told before each wait for another try, with the milliseconds. */
  readonly onRetry?: ((error: SnipkeepError, delayMs: number) => void) | undefined
}

/** A client of one Snipkeep server. */
export class Snipkeep {
  readonly snippets: Snippets
  readonly shares: Shares
  readonly history: History
  readonly keys: Keys
  readonly events: Events
  readonly account: Account
  readonly trustedPublishers: TrustedPublishers
  readonly #send: Transport

  /** @throws TypeError when `server` is no `http:` or `https:` URL. */
  constructor({ server, auth, retries = 3, fetch, userAgent, onRetry }: SnipkeepOptions) {
    if (!/^https?:$/.test(new URL(server).protocol)) throw new TypeError('server must be an http(s) URL')
    this.#send = createTransport({
      server,
      auth: auth ?? null,
      retries,
      fetch: fetch ?? globalThis.fetch.bind(globalThis),
      userAgent: userAgent ?? null,
      onRetry,
    })
    this.snippets = new Snippets(this.#send)
    this.shares = new Shares(this.#send)
    this.history = new History(this.#send)
    this.keys = new Keys(this.#send)
    this.events = new Events(this.#send)
    this.account = new Account(this.#send)
    this.trustedPublishers = new TrustedPublishers(this.#send)
  }

  /**
   * Any request, with the credentials, retries and errors of this client.
   * @throws ProblemError for a refusal.
   */
  request(request: ApiRequest, options?: CallOptions): Promise<Response> {
    return this.#send(request, options)
  }
}
