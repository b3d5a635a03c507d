import { jsonBody } from './content.js'
import type {
  CreatedShare,
  CreateReportData,
  Deleted,
  ListedShare,
  ListSharesData,
  RevealedShare,
  Share,
  SharePage,
} from './generated/types.js'
import { type Holding, sentOf } from './new-output.js'
import type { ListFilter, Paged } from './paged.js'
import { SnipkeepError } from './problem-error.js'
import type { RawData, RawOptions } from './raw-data.js'
import { sharePath, titleFor } from './references.js'
import { Resource } from './resource.js'
import type { CallOptions } from './transport.js'

export type NewShare = Holding & {
  readonly tool: string
  /** By default the tool and the date. */
  readonly title?: string | undefined
  /** Seconds until it expires; by default as long as the plan allows. */
  readonly expiresIn?: number | undefined
  /**
   * Whether to publish what seems to contain a secret: `true` does and records it, `false` fails with `secret_found`; by
   * default the server decides. `warnings` of the result lists what was found.
   */
  readonly allowSecrets?: boolean | undefined
  /** Puts a gate before the share: whoever reveals it needs this password, of 8 to 128 characters. */
  readonly password?: string | undefined
  /** Puts a gate before the share: after so many reveals, up to 1000, it is gone. */
  readonly maxViews?: number | undefined
  /** Short for `maxViews: 1`. */
  readonly burn?: boolean | undefined
  /** Makes the call safe to repeat for 24 hours; generated for each call by default. */
  readonly idempotencyKey?: string | undefined
}

/** Who may see a gated share. */
export interface GrantOptions {
  /** The grant of a `reveal`; without one, only the owner may read a gated share. */
  readonly grant?: string | undefined
}

/** What everyone may know of a gated share. */
export type ShareGate = Pick<Share, 'id' | 'size_bytes' | 'created_at' | 'expires_at'> & {
  readonly gated: NonNullable<Share['gated']>
}

export type ShareFilter = ListFilter<ListSharesData['query']>

function textOf(value: boolean | undefined): string | undefined {
  return value === undefined ? undefined : String(value)
}

/** UTF-8 in a header, which `fetch` writes as Latin-1. */
function headerText(text: string | undefined): string | undefined {
  return text === undefined ? undefined : String.fromCharCode(...new TextEncoder().encode(text))
}

/** Immutable copies behind a link, public unless they have a gate. */
export class Shares extends Resource {
  /** Publishes a share; its page is at `share_url`. */
  async create(share: NewShare, options?: CallOptions): Promise<CreatedShare> {
    const { tool, expiresIn: expires_in, maxViews: max_views, burn, password } = share
    const { allowSecrets: allow_secrets } = share
    const title = share.title ?? titleFor(tool)
    const common = { tool, expires_in, max_views }
    const query = {
      ...{ ...common, title: share.title, allow_secrets: textOf(allow_secrets) },
      burn: burn === true ? 'true' : undefined,
    }
    const sent = sentOf(share, { ...common, title, burn, password, allow_secrets }, query)
    const headers = {
      'Idempotency-Key': share.idempotencyKey ?? crypto.randomUUID(),
      // A query would be logged on the way.
      'Snipkeep-Share-Password': share.data === undefined ? headerText(password) : undefined,
    }
    return this.read({ method: 'POST', path: '/api/shares', headers, ...sent }, options)
  }

  /**
   * Gets any user's share, with parsed `data`: numbers have JavaScript's precision. Use `raw` for the exact
   * bytes.
   * @throws SnipkeepError if it is gated, and neither a grant opens it nor is it yours.
   */
  async get(id: string, options?: CallOptions & GrantOptions): Promise<Share> {
    const headers = { 'Snipkeep-Grant': options?.grant }
    const found = await this.read<Share>({ method: 'GET', path: sharePath(id), headers }, options)
    // The data of a share is always an object, so only the gate is without.
    if (found.gated !== undefined && found.data === undefined)
      throw new SnipkeepError('This share has a gate. Reveal it, and pass the grant.')
    return found
  }

  /** The gate of a share; `null` if it has none. Counts no view. */
  async gate(id: string, options?: CallOptions): Promise<ShareGate | null> {
    const found = await this.read<Share>({ method: 'GET', path: sharePath(id) }, options)
    const { gated, size_bytes, created_at, expires_at } = found
    return gated === undefined ? null : { id: found.id, gated, size_bytes, created_at, expires_at }
  }

  /**
   * Counts a view of a gated share, and returns a grant that opens it for ten minutes. It is never repeated by itself:
   * each call may use up a view.
   */
  async reveal(id: string, password?: string, options?: CallOptions): Promise<RevealedShare> {
    const body = jsonBody(JSON.stringify({ password }))
    const request = { method: 'POST', path: `${sharePath(id)}/reveal`, body, retry: 'never' } as const
    return this.read(request, options)
  }

  /** The bytes of any user's share, of one value in it, of some of its rows, or a range of bytes. */
  async raw(id: string, options?: RawOptions & GrantOptions): Promise<RawData> {
    return this.readRaw(`${sharePath(id)}/raw`, options, { 'Snipkeep-Grant': options?.grant })
  }

  /** Your shares, newest first. */
  list(filter: ShareFilter = {}, options?: CallOptions): Paged<ListedShare> {
    return this.pagesAt('/api/shares', filter, (page: SharePage) => page.shares, options)
  }

  /** Reports any user's share to the operator of the server; needs no credentials. */
  async report(report: CreateReportData['body'], options?: CallOptions): Promise<void> {
    const body = jsonBody(JSON.stringify(report))
    const response = await this.send({ method: 'POST', path: '/api/reports', body }, options)
    await response.body?.cancel()
  }

  /** Deletes a share immediately. */
  async delete(id: string, options?: CallOptions & { readonly ifMatch?: string }): Promise<Deleted> {
    return this.deleteAt(id, sharePath(id), options)
  }
}
