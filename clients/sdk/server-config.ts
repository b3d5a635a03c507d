import type { CallOptions, Transport } from './transport.js'

/** What a server says of itself. */
export interface ServerConfig {
  /** How people sign in, by OpenID Connect; `null` if they cannot. */
  readonly sign_in: {
    readonly issuer: string
    readonly client_id: string
    /** The client ID of the command line, usually the same. */
    readonly cli_client_id: string
    readonly scopes: string
    readonly logout_needs_token: boolean
  } | null
  /** The address of this server. */
  readonly public_base_url: string
  /** What links to shares begin with. */
  readonly share_base_url: string
}

/** Asks a server for its settings. */
export async function readServerConfig(send: Transport, options?: CallOptions): Promise<ServerConfig> {
  return (await (await send({ method: 'GET', path: '/config.json' }, options)).json()) as ServerConfig
}
