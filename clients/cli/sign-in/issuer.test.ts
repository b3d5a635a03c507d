import { afterEach, describe, expect, it } from 'vitest'
import { type JsonServer, startJsonServer } from '#libs/testing/json-server.js'
import { discover } from './issuer.js'

let server: JsonServer | undefined

afterEach(() => server?.stop())

const { signal } = new AbortController()

/** Reads the discovery document of an issuer on this machine, which has these endpoints beside the usual ones. */
async function discovered(endpoints: Readonly<Record<string, string>>, env: Record<string, string> = {}) {
  server = await startJsonServer((_path, _headers, url) => ({
    issuer: url,
    authorization_endpoint: `${url}/authorize`,
    token_endpoint: 'https://issuer.example/token',
    device_authorization_endpoint: 'https://issuer.example/device',
    ...endpoints,
  }))
  const settings = { issuer: server.url, client_id: 'cli', scopes: 'openid' }
  const found = await discover(settings, { env, signal })
  return Object.keys(endpoints).map((name) => Reflect.get(found.server, name))
}

const foreign = [
  'http://issuer.example/',
  'http://127.0.0.1.issuer.example/',
  'http://localhost.issuer.example/',
  'http://10.0.0.1/',
  'file:///C:/Windows/System32/calc.exe',
  'javascript:alert(1)',
  'ms-settings:network',
  '/relative',
  '',
]
const allowed = [
  'https://issuer.example/',
  'http://localhost:8081/',
  'http://id.localhost:8083/',
  'http://127.0.0.1:8081/',
  'http://[::1]:8081/',
]

describe.each(['authorization_endpoint', 'token_endpoint', 'device_authorization_endpoint'])(
  'the %s of an issuer',
  (name) => {
    it.each(foreign)('is refused as %j', async (address) => {
      await expect(discovered({ [name]: address })).rejects.toThrow(
        `The issuer's ${name} is not an https: address: ${address}`,
      )
    })

    it.each(allowed)('may be %s', async (address) => {
      expect(await discovered({ [name]: address })).toEqual([address])
    })

    it('may be http: of another machine only if the person says so', async () => {
      const address = 'http://issuer.lan/'
      expect(await discovered({ [name]: address }, { SNIPKEEP_ALLOW_INSECURE: 'true' })).toEqual([address])
      await expect(
        discovered({ [name]: 'file:///etc/passwd' }, { SNIPKEEP_ALLOW_INSECURE: 'true' }),
      ).rejects.toThrow('is not an https: address')
    })
  },
)

it.each(foreign)('the issuer itself is not asked at %j', async (issuer) => {
  const settings = { issuer, client_id: 'cli', scopes: 'openid' }
  await expect(discover(settings, { env: {}, signal })).rejects.toThrow(
    "The issuer's address is not an https: address",
  )
})
