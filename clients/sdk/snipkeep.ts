import { Account } from './account.js'
import type { Auth } from './auth.js'
import { Checks } from './checks.js'
import { type ComparedSide, type CompareOptions, compare } from './compare.js'
import { Contracts } from './contracts.js'
import { Events } from './events.js'
import type { Comparison } from './generated/types.js'
import { History } from './history.js'
import { Keys } from './keys.js'
import { Operator } from './operator.js'
import type { SnipkeepError } from './problem-error.js'
import { readServerConfig, type ServerConfig } from './server-config.js'
import { Shares } from './shares.js'
import { Snippets } from './snippets.js'
import { Tools } from './tools.js'
import { type ApiRequest, type CallOptions, createTransport, type Transport } from './transport.js'
import { TrustedPublishers } from './trusted-publishers.js'

export interface SnipkeepOptions {
  /** The server's URL, such as `https://snippets.example`. */
  readonly server: string
  /** The caller; without it only public resources can be read. */
  readonly auth?: Auth | undefined
  /** How often a request is retried after a temporary failure; 3 by default. */
  readonly retries?: number | undefined
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof fetch | undefined
  /** Aborts every request that names no signal of its own. */
  readonly signal?: AbortSignal | undefined
  /** The client's name in the server's log; ignored in browsers. */
  readonly userAgent?: string | undefined
  /** Called before each retry, with the delay in milliseconds. */
  readonly onRetry?: ((error: SnipkeepError, delayMs: number) => void) | undefined
}

/** A client of one Snipkeep server. */
export class Snipkeep {
  readonly snippets: Snippets
  readonly contracts: Contracts
  readonly checks: Checks
  readonly shares: Shares
  readonly history: History
  readonly keys: Keys
  readonly events: Events
  readonly account: Account
  readonly trustedPublishers: TrustedPublishers
  readonly tools: Tools
  readonly operator: Operator
  /** The server's URL, as given. */
  readonly server: string
  readonly #send: Transport
  readonly #headers: () => Promise<Readonly<Record<string, string>>>

  /** @throws TypeError when `server` is not an `http:` or `https:` URL. */
  constructor({ server, auth, retries = 3, fetch, signal, userAgent, onRetry }: SnipkeepOptions) {
    if (!/^https?:$/.test(new URL(server).protocol)) throw new TypeError('server must be an http(s) URL')
    this.server = server
    this.#send = createTransport({
      server,
      auth: auth ?? null,
      retries,
      fetch: fetch ?? globalThis.fetch.bind(globalThis),
      userAgent: userAgent ?? null,
      signal,
      onRetry,
    })
    const asked = { server, fetch: fetch ?? globalThis.fetch }
    this.#headers = async () => (await auth?.headers(asked)) ?? {}
    this.snippets = new Snippets(this.#send)
    this.contracts = new Contracts(this.#send)
    this.checks = new Checks(this.#send)
    this.shares = new Shares(this.#send)
    this.history = new History(this.#send)
    this.keys = new Keys(this.#send)
    this.events = new Events(this.#send)
    this.account = new Account(this.#send)
    this.trustedPublishers = new TrustedPublishers(this.#send)
    this.tools = new Tools(this.#send)
    this.operator = new Operator(this.#send)
  }

  /** The headers that authenticate the caller, for requests that are not made by this client. */
  headers(): Promise<Readonly<Record<string, string>>> {
    return this.#headers()
  }

  /** What the server says of itself: its addresses, and how people sign in. */
  config(options?: CallOptions): Promise<ServerConfig> {
    return readServerConfig(this.#send, options)
  }

  /**
   * What differs from `a` to `b`. Numbers are compared as they are spelled; `from` and `to` are exact texts.
   * @throws TooLargeError `compare_too_large` for documents that the command line compares.
   */
  compare(
    a: ComparedSide,
    b: ComparedSide,
    how: CompareOptions = {},
    options?: CallOptions,
  ): Promise<Comparison> {
    return compare(this.#send, a, b, how, options)
  }

  /**
   * Sends any request with this client's credentials, retries and errors.
   * @throws ProblemError for an error response.
   */
  request(request: ApiRequest, options?: CallOptions): Promise<Response> {
    return this.#send(request, options)
  }
}
