import { jsonBody } from './content.js'
import type {
  ApiKey,
  ApiKeyList,
  ApiKeyUsage,
  Checkout,
  CreateApiKeyData,
  CreatedApiKey,
  Deleted,
  DeletedMany,
  GetApiKeyUsageData,
  HistoryEntry,
  HistoryPage,
  ListHistoryData,
  PlanList,
  Portal,
  Profile,
  RecordHistoryEntryData,
  RotateApiKeyData,
  StartCheckoutData,
  Subscription,
} from './generated/types.js'
import { type Paged, paged } from './paged.js'
import type { ApiRequest, CallOptions, Transport } from './transport.js'

/** Makes the call safe to repeat for 24 hours; generated for each call by default. */
export interface Repeatable extends CallOptions {
  readonly idempotencyKey?: string | undefined
}

async function read<T>(send: Transport, request: ApiRequest, options?: CallOptions): Promise<T> {
  return (await (await send(request, options)).json()) as T
}

function post<T>(send: Transport, path: string, body: unknown, options?: Repeatable): Promise<T> {
  const headers = { 'Idempotency-Key': options?.idempotencyKey ?? crypto.randomUUID() }
  return read(send, { method: 'POST', path, headers, body: jsonBody(JSON.stringify(body)) }, options)
}

/** The history of tool use. */
export class History {
  readonly #send: Transport

  constructor(send: Transport) {
    this.#send = send
  }

  /** Records that a tool was used. */
  record(entry: RecordHistoryEntryData['body'], options?: Repeatable): Promise<HistoryEntry> {
    return post(this.#send, '/api/history', entry, options)
  }

  get(id: string, options?: CallOptions): Promise<HistoryEntry> {
    return read(this.#send, { method: 'GET', path: `/api/history/${encodeURIComponent(id)}` }, options)
  }

  /** Newest first. */
  list(
    filter: Omit<NonNullable<ListHistoryData['query']>, 'cursor'> = {},
    options?: CallOptions,
  ): Paged<HistoryEntry> {
    return paged(async (cursor) => {
      const request = { method: 'GET', path: '/api/history', query: { ...filter, cursor } } as const
      const page = await read<HistoryPage>(this.#send, request, options)
      return { items: page.history, nextCursor: page.next_cursor }
    })
  }

  async delete(id: string, options?: CallOptions): Promise<Deleted> {
    const path = `/api/history/${encodeURIComponent(id)}`
    const response = await this.#send({ method: 'DELETE', path }, options)
    return response.ok ? ((await response.json()) as Deleted) : { id, deleted: true }
  }

  /** Deletes all entries, or those of one tool. */
  clear(filter: { readonly tool?: string } = {}, options?: CallOptions): Promise<DeletedMany> {
    return read(this.#send, { method: 'DELETE', path: '/api/history', query: filter }, options)
  }
}

/** API keys; these calls need an ID token. */
export class Keys {
  readonly #send: Transport

  constructor(send: Transport) {
    this.#send = send
  }

  /** Creates a key. Its secret is returned only here. */
  create(key: CreateApiKeyData['body'], options?: Repeatable): Promise<CreatedApiKey> {
    return post(this.#send, '/api/keys', key, options)
  }

  async list(options?: CallOptions): Promise<readonly ApiKey[]> {
    return (await read<ApiKeyList>(this.#send, { method: 'GET', path: '/api/keys' }, options)).keys
  }

  get(id: string, options?: CallOptions): Promise<ApiKey> {
    return read(this.#send, { method: 'GET', path: `/api/keys/${encodeURIComponent(id)}` }, options)
  }

  /** How often a key was used, by day. */
  usage(id: string, days: GetApiKeyUsageData['query'] = {}, options?: CallOptions): Promise<ApiKeyUsage> {
    const path = `/api/keys/${encodeURIComponent(id)}/usage`
    return read(this.#send, { method: 'GET', path, query: days }, options)
  }

  /**
   * Gives a key a new secret, which is returned only here. By default both work until a day after the new one
   * is first used.
   */
  rotate(id: string, how: RotateApiKeyData['body'] = {}, options?: Repeatable): Promise<CreatedApiKey> {
    return post(this.#send, `/api/keys/${encodeURIComponent(id)}/rotate`, how, options)
  }

  /** Ends the older of a key's two secrets now; `id` is that of the key. */
  async endPrevious(id: string, options?: CallOptions): Promise<Deleted> {
    const path = `/api/keys/${encodeURIComponent(id)}/previous`
    const response = await this.#send({ method: 'DELETE', path }, options)
    return response.ok ? ((await response.json()) as Deleted) : { id, deleted: true }
  }

  /** Revokes a leaked key by its secret; needs no credentials, and reveals nothing about the key. */
  async revoke(key: string, options?: CallOptions): Promise<void> {
    const body = jsonBody(JSON.stringify({ key }))
    const response = await this.#send({ method: 'POST', path: '/api/keys/revoke', body }, options)
    await response.body?.cancel()
  }

  /** Revokes a key. */
  async delete(id: string, options?: CallOptions): Promise<Deleted> {
    const path = `/api/keys/${encodeURIComponent(id)}`
    const response = await this.#send({ method: 'DELETE', path }, options)
    return response.ok ? ((await response.json()) as Deleted) : { id, deleted: true }
  }
}

/** The caller's account and subscription. */
export class Account {
  readonly #send: Transport

  constructor(send: Transport) {
    this.#send = send
  }

  /** The caller's account, with its limits and usage. */
  profile(options?: CallOptions): Promise<Profile> {
    return read(this.#send, { method: 'GET', path: '/api/auth/profile' }, options)
  }

  /** The plans that this server offers. */
  plans(options?: CallOptions): Promise<PlanList> {
    return read(this.#send, { method: 'GET', path: '/api/plans' }, options)
  }

  subscription(options?: CallOptions): Promise<Subscription> {
    return read(this.#send, { method: 'GET', path: '/api/subscription' }, options)
  }

  /** Starts a checkout for Pro: open the returned URL in a browser. */
  checkout(checkout: StartCheckoutData['body'], options?: Repeatable): Promise<Checkout> {
    return post(this.#send, '/api/subscription/checkout', checkout, options)
  }

  /** Opens a page for payment details and invoices. */
  portal(options?: Repeatable): Promise<Portal> {
    return post(this.#send, '/api/subscription/portal', {}, options)
  }

  /** Cancels Pro at the end of the paid period. */
  cancel(options?: CallOptions): Promise<Subscription> {
    const path = '/api/subscription/cancel'
    return read(this.#send, { method: 'POST', path, retry: 'never' }, options)
  }

  /** Takes a cancellation back. */
  resume(options?: CallOptions): Promise<Subscription> {
    const path = '/api/subscription/resume'
    return read(this.#send, { method: 'POST', path, retry: 'never' }, options)
  }
}
