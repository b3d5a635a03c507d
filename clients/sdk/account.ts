import { bodyOf, type Content, jsonBody } from './content.js'
import type {
  Checkout,
  ClosedAccount,
  PlanList,
  Portal,
  Profile,
  RestoredAccount,
  StartCheckoutData,
  Subscription,
} from './generated/types.js'
import { type ImportReport, importReport } from './import-report.js'
import { postJson, type Repeatable, readJson } from './json-calls.js'
import { RawData } from './raw-data.js'
import type { CallOptions, Transport } from './transport.js'

/** How an archive is imported. */
export interface ImportOptions extends CallOptions {
  /** Whether to check the archive and store nothing. */
  readonly dryRun?: boolean | undefined
  /** Whether to publish shares that seem to hold secrets, as for `shares.create`. */
  readonly allowSecrets?: boolean | undefined
}

/** The caller's account and subscription. */
export class Account {
  readonly #send: Transport

  constructor(send: Transport) {
    this.#send = send
  }

  /** The caller's account, with its limits and usage. */
  profile(options?: CallOptions): Promise<Profile> {
    return readJson(this.#send, { method: 'GET', path: '/api/auth/profile' }, options)
  }

  /**
   * Closes the account, which is erased after some days. Needs an identity token of someone who signed in within the last
   * ten minutes, and as confirmation the e-mail address or the id of the account.
   */
  close(confirm: string, options?: CallOptions): Promise<ClosedAccount> {
    const body = jsonBody(JSON.stringify({ confirm }))
    return readJson(this.#send, { method: 'DELETE', path: '/api/account', body }, options)
  }

  /** Restores the closed account, until it is erased. */
  restore(options?: CallOptions): Promise<RestoredAccount> {
    return readJson(this.#send, { method: 'POST', path: '/api/account/restore' }, options)
  }

  /** The plans that this server offers. */
  plans(options?: CallOptions): Promise<PlanList> {
    return readJson(this.#send, { method: 'GET', path: '/api/plans' }, options)
  }

  /**
   * Everything that the account holds, as a gzipped tar, streamed. Its last file is `manifest.json`; without it, the
   * archive was cut.
   */
  async exportArchive({
    since,
    ...options
  }: CallOptions & { readonly since?: string | undefined } = {}): Promise<RawData> {
    return new RawData(await this.#send({ method: 'GET', path: '/api/export', query: { since } }, options))
  }

  /**
   * Imports an archive of `exportArchive`. What the account has stays as it is, so it may be repeated.
   * @throws BadRequestError `archive_incomplete` or `archive_invalid`.
   */
  async importArchive(
    archive: Content,
    { dryRun, allowSecrets, ...options }: ImportOptions = {},
  ): Promise<ImportReport> {
    const body = bodyOf(archive, 'application/gzip')
    const allow_secrets = allowSecrets === undefined ? undefined : String(allowSecrets)
    const query = { dry_run: dryRun, allow_secrets }
    const request = { method: 'POST', path: '/api/import', query, body } as const
    const response = await this.#send(request, options)
    return importReport(await response.text())
  }

  subscription(options?: CallOptions): Promise<Subscription> {
    return readJson(this.#send, { method: 'GET', path: '/api/subscription' }, options)
  }

  /** Starts a checkout for Pro: open the returned URL in a browser. */
  checkout(checkout: StartCheckoutData['body'], options?: Repeatable): Promise<Checkout> {
    return postJson(this.#send, '/api/subscription/checkout', checkout, options)
  }

  /** Opens a page for payment details and invoices. */
  portal(options?: Repeatable): Promise<Portal> {
    return postJson(this.#send, '/api/subscription/portal', {}, options)
  }

  /** Cancels Pro at the end of the paid period. */
  cancel(options?: CallOptions): Promise<Subscription> {
    const path = '/api/subscription/cancel'
    return readJson(this.#send, { method: 'POST', path, retry: 'never' }, options)
  }

  /** Takes a cancellation back. */
  resume(options?: CallOptions): Promise<Subscription> {
    const path = '/api/subscription/resume'
    return readJson(this.#send, { method: 'POST', path, retry: 'never' }, options)
  }
}
