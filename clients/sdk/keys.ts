import { jsonBody } from './content.js'
import type {
  ApiKey,
  ApiKeyList,
  ApiKeyUsage,
  CreateApiKeyData,
  CreatedApiKey,
  Deleted,
  GetApiKeyUsageData,
  RotateApiKeyData,
} from './generated/types.js'
import { type Fields, type Repeatable, Resource } from './resource.js'
import type { CallOptions } from './transport.js'

const path = '/api/keys'

function pathOf(id: string): string {
  return `${path}/${encodeURIComponent(id)}`
}

/** API keys; these calls need an ID token. */
export class Keys extends Resource {
  /** Creates a key. Its secret is returned only here. */
  create(key: Fields<CreateApiKeyData['body']>, options?: Repeatable): Promise<CreatedApiKey> {
    return this.postNew(path, key, options)
  }

  async list(options?: CallOptions): Promise<readonly ApiKey[]> {
    return (await this.readAt<ApiKeyList>(path, options)).keys
  }

  get(id: string, options?: CallOptions): Promise<ApiKey> {
    return this.readAt(pathOf(id), options)
  }

  /** How often a key was used, by day. */
  usage(id: string, days: GetApiKeyUsageData['query'] = {}, options?: CallOptions): Promise<ApiKeyUsage> {
    const request = { method: 'GET', path: `${pathOf(id)}/usage`, query: days } as const
    return this.read(request, options)
  }

  /**
   * Gives a key a new secret, which is returned only here. By default both work until a day after the new one
   * is first used.
   */
  rotate(id: string, how: RotateApiKeyData['body'] = {}, options?: Repeatable): Promise<CreatedApiKey> {
    return this.postNew(`${pathOf(id)}/rotate`, how, options)
  }

  /** Ends the older of a key's two secrets now; `id` is that of the key. */
  async endPrevious(id: string, options?: CallOptions): Promise<Deleted> {
    return this.deleteAt(id, `${pathOf(id)}/previous`, options)
  }

  /** Revokes a leaked key by its secret; needs no credentials, and reveals nothing about the key. */
  async revoke(key: string, options?: CallOptions): Promise<void> {
    const body = jsonBody(JSON.stringify({ key }))
    const response = await this.send({ method: 'POST', path: `${path}/revoke`, body }, options)
    await response.body?.cancel()
  }

  /** Revokes a key. */
  async delete(id: string, options?: CallOptions): Promise<Deleted> {
    return this.deleteAt(id, pathOf(id), options)
  }
}
