import { expect, it } from 'vitest'
import { packageVersion } from '#libs/runtime/package-version.js'
import { readConfig } from './config.js'

it('the web application requires no configuration', () => {
  expect(readConfig({})).toMatchObject({ host: '127.0.0.1', port: 8090, contentTarget: '127.0.0.1:50051' })
})

it('calling content in plain text beyond this machine is rejected unless it is allowed', () => {
  const env = { CONTENT_GRPC_TARGET: 'dns:///content:50051' }
  expect(() => readConfig(env)).toThrow(/CONTENT_GRPC_TARGET.*GRPC_INSECURE/)
  expect(readConfig({ ...env, GRPC_INSECURE: 'true' }).contentTarget).toBe('dns:///content:50051')
})

it('an incomplete TLS configuration is rejected, and a complete one needs no plain text', () => {
  const env = { CONTENT_GRPC_TARGET: 'dns:///content:50051' }
  const [ca, cert, key] = [
    { GRPC_TLS_CA_FILE: '/a' },
    { GRPC_TLS_CERT_FILE: '/b' },
    { GRPC_TLS_KEY_FILE: '/c' },
  ]
  expect(() => readConfig({ ...env, ...ca, ...key })).toThrow(/GRPC_TLS_CERT_FILE must be set/)
  expect(() => readConfig({ ...env, ...cert })).toThrow(/GRPC_TLS_CA_FILE and GRPC_TLS_KEY_FILE must be set/)
  const files = { caFile: '/a', certFile: '/b', keyFile: '/c' }
  expect(readConfig({ ...env, ...ca, ...cert, ...key }).certificates).toEqual(files)
})

it.each(['PUBLIC_BASE_URL', 'SHARE_BASE_URL'])('%s has no path, since no page works below one', (name) => {
  const env = { PUBLIC_BASE_URL: 'https://snip.example' }
  expect(() => readConfig({ ...env, [name]: 'https://snip.example/snip' })).toThrow(
    `${name} must be an http or https URL without a path`,
  )
  expect(readConfig({ ...env, [name]: 'https://snip.example/' }).site.publicBaseUrl).toBe(
    'https://snip.example',
  )
})

it('pages know the URL of shares, and of reports', () => {
  const at = (env: Record<string, string>) =>
    readConfig({ PUBLIC_BASE_URL: 'https://snip.example', ...env }).site
  expect(at({})).toEqual({
    publicBaseUrl: 'https://snip.example',
    homeUrl: '/',
    shareBaseUrl: 'https://snip.example',
    abuseUrl: null,
    tools: true,
    indexing: true,
    securityContact: null,
    version: packageVersion(),
  })
  expect(at({ TOOLS: 'off' }).tools).toBe(false)
  expect(at({ INDEXING: 'off' }).indexing).toBe(false)
  expect(at({ SHARE_BASE_URL: 'https://snip.example', ABUSE_URL: 'mailto:a@snip.example' })).toMatchObject({
    publicBaseUrl: 'https://snip.example',
    homeUrl: '/',
    abuseUrl: 'mailto:a@snip.example',
  })
  expect(at({ SHARE_BASE_URL: 'https://shares.example/' })).toMatchObject({
    publicBaseUrl: 'https://snip.example',
    homeUrl: 'https://snip.example/',
    shareBaseUrl: 'https://shares.example',
  })
  expect(() => at({ ABUSE_URL: 'javascript:alert(1)' })).toThrow(/ABUSE_URL must be an https: or mailto:/)
  expect(() => at({ SHARE_BASE_URL: 'http://shares.example' })).toThrow(/SHARE_BASE_URL must be an https:/)
})

it('the command line uses the dashboard’s client, unless it has its own', () => {
  const env = { OIDC_ISSUERS: 'https://id.example=web,https://other.example=x' }
  expect(readConfig(env).signIn).toMatchObject({ clientId: 'web', cliClientId: 'web' })
  expect(readConfig({ ...env, OIDC_CLI_CLIENT_ID: 'cli' }).signIn).toMatchObject({
    issuer: 'https://id.example',
    clientId: 'web',
    cliClientId: 'cli',
  })
})
