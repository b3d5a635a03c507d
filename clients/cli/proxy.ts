import * as http from 'node:http'
import * as https from 'node:https'
import { BlockList, isIP } from 'node:net'
import type { Duplex } from 'node:stream'
import { connect } from 'node:tls'

/** Environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>

/** How a request gets to its server: directly, or by a proxy. */
export interface Route {
  readonly module: Pick<typeof http, 'request'>
  readonly options: http.RequestOptions
}

/** The value of a variable, whose lower-case name goes first, as with curl. */
function variable(env: Environment, name: string): string {
  return env[name.toLowerCase()] || env[name] || ''
}

const portOf = (url: URL): string => url.port || (url.protocol === 'https:' ? '443' : '80')
const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '').toLowerCase()

/** Whether an item of NO_PROXY means this server: a host and those below it, an address, a network, or `*`. */
function isMeant(item: string, url: URL): boolean {
  const host = hostOf(url)
  const [, network = '', bits = ''] = /^([\d.]+|[\da-f:.]+)\/(\d{1,3})$/i.exec(item) ?? []
  const family = isIP(network) === 6 ? 'ipv6' : 'ipv4'
  if (bits !== '') {
    if (isIP(network) === 0 || isIP(host) !== isIP(network) || Number(bits) > (family === 'ipv6' ? 128 : 32))
      return false
    const list = new BlockList()
    list.addSubnet(network, Number(bits), family)
    return list.check(host, family)
  }
  const [, name = item, , port = ''] = /^(\[[^\]]*\]|[^:]*)(:(\d+))?$/.exec(item) ?? []
  if (port !== '' && port !== portOf(url)) return false
  const wanted = name
    .replace(/^\[|\]$/g, '')
    .replace(/^\*?\./, '')
    .toLowerCase()
  return (
    wanted === '*' || host === wanted || (isIP(host) === 0 && wanted !== '' && host.endsWith(`.${wanted}`))
  )
}

/** Whether the environment names a proxy. */
export function namesProxy(env: Environment): boolean {
  return variable(env, 'HTTPS_PROXY') !== '' || variable(env, 'HTTP_PROXY') !== ''
}

/**
 * The proxy for an address, from HTTPS_PROXY, HTTP_PROXY and NO_PROXY; `null` for none.
 * @throws TypeError if the variable names no proxy that speaks HTTP.
 */
export function proxyFor(url: URL, env: Environment): URL | null {
  const name = url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY'
  const given = variable(env, name)
  if (given === '') return null
  const excepted = variable(env, 'NO_PROXY')
    .split(/[\s,]+/)
    .filter((item) => item !== '')
  if (excepted.some((item) => isMeant(item, url))) return null
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(given) ? given : `http://${given}`
  const proxy = URL.canParse(address) ? new URL(address) : null
  if (proxy === null || !/^https?:$/.test(proxy.protocol))
    throw new TypeError(`${name} must be the address of an HTTP proxy, such as http://proxy.example:3128.`)
  return proxy
}

function authorizationOf({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === '' && password === '') return {}
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { 'Proxy-Authorization': `Basic ${Buffer.from(pair).toString('base64')}` }
}

const moduleOf = ({ protocol }: URL): Pick<typeof http, 'request'> => (protocol === 'https:' ? https : http)
const addressOf = (url: URL): http.RequestOptions => ({ host: hostOf(url), port: portOf(url) })

/** Opens a connection to an https server through a proxy. */
class TunnelAgent extends https.Agent {
  private readonly proxy: URL
  private readonly target: URL

  constructor(proxy: URL, target: URL) {
    super()
    this.proxy = proxy
    this.target = target
  }

  override createConnection(
    options: https.RequestOptions,
    callback?: (error: Error | null, socket: Duplex) => void,
  ): undefined {
    const { proxy, target } = this
    const done = callback as (error: Error | null, socket?: Duplex) => void
    const authority = `${target.hostname}:${portOf(target)}`
    const headers = { Host: authority, ...authorizationOf(proxy) }
    const request = moduleOf(proxy).request({
      ...addressOf(proxy),
      ...{ method: 'CONNECT', path: authority, headers, agent: false, signal: options.signal },
    })
    request.once('error', (cause) => done(new Error(`The proxy ${proxy.host} failed.`, { cause })))
    request.once('response', (response) => response.resume())
    request.once('connect', (response, socket) => {
      if (response.statusCode !== 200) {
        socket.destroy()
        return done(
          new Error(
            `The proxy ${proxy.host} responds with ${response.statusCode} to a tunnel to ${authority}.`,
          ),
        )
      }
      const servername = isIP(hostOf(target)) === 0 ? hostOf(target) : ''
      done(null, connect({ socket, host: hostOf(target), servername, ALPNProtocols: ['http/1.1'] }))
    })
    request.end()
    return undefined
  }
}

/**
 * The route to an address.
 * @throws TypeError as `proxyFor`.
 */
export function routeTo(url: URL, env: Environment): Route {
  const proxy = proxyFor(url, env)
  if (proxy === null) return { module: moduleOf(url), options: {} }
  if (url.protocol === 'https:') return { module: https, options: { agent: new TunnelAgent(proxy, url) } }
  const headers = { Host: url.host, ...authorizationOf(proxy) }
  return {
    module: moduleOf(proxy),
    options: { protocol: proxy.protocol, ...addressOf(proxy), path: url.href, headers, agent: false },
  }
}
