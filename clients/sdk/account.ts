import { bodyOf, type Content, jsonBody } from './content.js'
import type {
  Checkout,
  ClosedAccount,
  ImportResult,
  PlanList,
  Portal,
  Profile,
  RestoredAccount,
  StartCheckoutData,
  Subscription,
} from './generated/types.js'
import { ConnectionError, problemOf } from './problem-error.js'
import { RawData } from './raw-data.js'
import { type Repeatable, Resource } from './resource.js'
import type { CallOptions } from './transport.js'

/** How an archive is imported. */
export interface ImportOptions extends CallOptions {
  /** Whether to check the archive and store nothing. */
  readonly dryRun?: boolean | undefined
  /** Whether to publish shares that seem to hold secrets, as for `shares.create`. */
  readonly allowSecrets?: boolean | undefined
}

/** What an import did. */
export interface ImportReport {
  readonly items: readonly ImportResult[]
  readonly summary: Readonly<Record<ImportResult['result'], number>>
}

type Line = ImportResult & Partial<Pick<ImportReport, 'summary'>> & { readonly result?: string }

/**
 * The report in the lines of a response.
 * @throws ProblemError if the import failed after its response had begun; ConnectionError if the response is cut.
 */
async function importReport(text: string): Promise<ImportReport> {
  const lines = text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Line]))
  const last = lines.pop()
  if (last?.summary !== undefined) return { items: lines, summary: last.summary }
  if (last?.problem === undefined || last.path !== undefined)
    throw new ConnectionError('The response to the import is incomplete.')
  const { status } = last.problem as { readonly status: number }
  const headers = { 'Content-Type': 'application/problem+json' }
  throw await problemOf(new Response(JSON.stringify(last.problem), { status, headers }))
}

/** The caller's account and subscription. */
export class Account extends Resource {
  /** The caller's account, with its limits and usage. */
  profile(options?: CallOptions): Promise<Profile> {
    return this.readAt('/api/auth/profile', options)
  }

  /**
   * Closes the account, which is erased after some days. Needs an identity token of someone who signed in within the last
   * ten minutes, and as confirmation the e-mail address or the id of the account.
   */
  close(confirm: string, options?: CallOptions): Promise<ClosedAccount> {
    const body = jsonBody(JSON.stringify({ confirm }))
    return this.read({ method: 'DELETE', path: '/api/account', body }, options)
  }

  /** Restores the closed account, until it is erased. */
  restore(options?: CallOptions): Promise<RestoredAccount> {
    return this.read({ method: 'POST', path: '/api/account/restore' }, options)
  }

  /** The plans that this server offers. */
  plans(options?: CallOptions): Promise<PlanList> {
    return this.readAt('/api/plans', options)
  }

  /**
   * Everything that the account holds, as a gzipped tar, streamed. Its last file is `manifest.json`; without it, the
   * archive was cut.
   */
  async exportArchive({
    since,
    ...options
  }: CallOptions & { readonly since?: string | undefined } = {}): Promise<RawData> {
    return new RawData(await this.send({ method: 'GET', path: '/api/export', query: { since } }, options))
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
    const response = await this.send(request, options)
    return importReport(await response.text())
  }

  subscription(options?: CallOptions): Promise<Subscription> {
    return this.readAt('/api/subscription', options)
  }

  /** Starts a checkout for Pro: open the returned URL in a browser. */
  checkout(checkout: StartCheckoutData['body'], options?: Repeatable): Promise<Checkout> {
    return this.postNew('/api/subscription/checkout', checkout, options)
  }

  /** Opens a page for payment details and invoices. */
  portal(options?: Repeatable): Promise<Portal> {
    return this.postNew('/api/subscription/portal', {}, options)
  }

  /** Cancels Pro at the end of the paid period. */
  cancel(options?: CallOptions): Promise<Subscription> {
    const path = '/api/subscription/cancel'
    return this.read({ method: 'POST', path, retry: 'never' }, options)
  }

  /** Takes a cancellation back. */
  resume(options?: CallOptions): Promise<Subscription> {
    const path = '/api/subscription/resume'
    return this.read({ method: 'POST', path, retry: 'never' }, options)
  }
}
