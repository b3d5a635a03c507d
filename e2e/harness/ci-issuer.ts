import { randomUUID } from 'node:crypto'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { type JsonServer, startJsonServer } from '#libs/testing/json-server.js'
import type { ApiClient, ApiResponse } from './api-client.js'
import type { ApiSystem } from './api-system.js'

type Claims = Readonly<Record<string, unknown>>

/** A CI token issuer, with its own keys over HTTP. */
export interface FakeCiIssuer {
  readonly url: string
  /** How often its documents were requested. */
  hits(): number
  /** A job's token, valid for five minutes, with claims added, replaced or, by `undefined`, left out. */
  token(audience: string, changes?: Claims): Promise<string>
  stop(): Promise<void>
}

/** Claims of a GitHub job of `acme/website` in the format since July 2026: `sub` contains ids. */
export const githubClaims: Claims = {
  sub: 'repo:acme@65/website@74:ref:refs/heads/main',
  ref: 'refs/heads/main',
  sha: '8f94b2a',
  repository: 'acme/website',
  repository_owner: 'acme',
  repository_id: '74',
  repository_owner_id: '65',
  repository_visibility: 'private',
  run_id: '30433642',
  run_number: '10',
  run_attempt: '2',
  actor: 'octo',
  actor_id: '12',
  workflow: 'release',
  head_ref: '',
  base_ref: '',
  event_name: 'push',
  ref_type: 'branch',
  ref_protected: 'true',
  workflow_ref: 'acme/website/.github/workflows/release.yml@refs/heads/main',
  job_workflow_ref: 'acme/website/.github/workflows/release.yml@refs/heads/main',
  runner_environment: 'github-hosted',
}

/** The same in the format before. */
export const githubClaimsBefore: Claims = { ...githubClaims, sub: 'repo:acme/website:ref:refs/heads/main' }

/** Claims of a GitLab job of `acme/website`. */
export const gitlabClaims: Claims = {
  sub: 'project_path:acme/website:ref_type:branch:ref:main',
  namespace_id: '72',
  namespace_path: 'acme',
  project_id: '20',
  project_path: 'acme/website',
  user_id: '1',
  user_login: 'ann',
  user_email: 'ann@example.com',
  user_access_level: 'developer',
  pipeline_id: '574',
  pipeline_source: 'push',
  job_id: '302',
  ref: 'main',
  ref_type: 'branch',
  ref_protected: 'true',
  runner_id: 1,
  runner_environment: 'gitlab-hosted',
  sha: '714a629',
  ci_config_ref_uri: 'gitlab.com/acme/website//.gitlab-ci.yml@refs/heads/main',
}

/** Starts an issuer whose jobs have these claims. */
export async function startFakeCiIssuer(base: Claims, kid: string): Promise<FakeCiIssuer> {
  const { publicKey, privateKey } = await generateKeyPair('RS256')
  const jwk = { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' }
  const server: JsonServer = await startJsonServer((path) =>
    path === '/jwks' ? { keys: [jwk] } : { issuer: server.url, jwks_uri: `${server.url}/jwks` },
  )
  return {
    url: server.url,
    hits: server.hits,
    token(audience, changes = {}) {
      const now = Math.floor(Date.now() / 1_000)
      const times = { iat: now, nbf: now - 5, exp: now + 300 }
      const claims = { ...base, iss: server.url, aud: audience, jti: randomUUID(), ...times, ...changes }
      return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid, typ: 'JWT' }).sign(privateKey)
    },
    stop: server.stop,
  }
}

const form = { 'Content-Type': 'application/x-www-form-urlencoded' }

/** Sends a form. */
export function postForm(
  client: ApiClient,
  path: string,
  fields: Record<string, string>,
): Promise<ApiResponse> {
  return client.post(path, new URLSearchParams(fields).toString(), form)
}

/** Exchanges a job's token; `fields` are added to the form or replace its fields. */
export function exchangeToken(
  client: ApiClient,
  publisher: string,
  token: string,
  fields: Record<string, string> = {},
): Promise<ApiResponse> {
  return postForm(client, '/api/oauth/token', {
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    subject_token: token,
    subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
    trusted_publisher: publisher,
    ...fields,
  })
}

/** A client with an access token of an `acme/website` job, under a rule of this owner. */
export async function clientOfJob(
  system: ApiSystem,
  owner: ApiClient,
  github: FakeCiIssuer,
  scopes: readonly string[],
): Promise<ApiClient> {
  const claims = { repository_id: '74', repository_owner_id: '65' }
  const rule = { name: 'job', issuer: 'github', repository: 'acme/website', claims, scopes }
  const made = await owner.post('/api/trusted-publishers', rule)
  const { id } = made.json<{ id: string }>()
  const exchanged = await exchangeToken(system.anyone(), id, await github.token(system.baseUrl()))
  if (exchanged.status !== 200) throw new Error(`no token: ${exchanged.text}`)
  return system.withKey(exchanged.json<{ access_token: string }>().access_token)
}
