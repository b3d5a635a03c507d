import { expect } from 'vitest'
import type { ApiClient, ApiResponse } from './api-client.js'
import {
  exchangeToken,
  type FakeCiIssuer,
  githubClaims,
  gitlabClaims,
  startFakeCiIssuer,
} from './ci-issuer.js'
import { type SystemInProcess, startSystem } from './system-in-process.js'

/** The ids of `acme/website` in tokens of the fake GitHub. */
export const pinned = { repository_id: '74', repository_owner_id: '65' }
/** A rule that trusts its jobs. */
export const rule = { name: 'releases', issuer: 'github', repository: 'acme/website', claims: pinned }

/** A rule with its owner. */
export interface Rule {
  readonly id: string
  readonly owner: ApiClient
  /** The owner's. */
  readonly name: string
}

/** An attempt to get a token, as the rule's owner sees it. */
export interface RuleEvent {
  readonly outcome: string
  readonly reason: string | null
  readonly claims: Record<string, string>
  readonly pin: Record<string, string> | null
}

/** Three gateways that trust three fake CI issuers. */
export interface TrustingSystem {
  readonly system: SystemInProcess
  readonly base: string
  readonly github: FakeCiIssuer
  readonly gitlab: FakeCiIssuer
  /** An issuer configured by the operator, whose claim format we don't know. */
  readonly other: FakeCiIssuer
  /** Creates a rule of a new Pro user. */
  makeRule(fields?: object): Promise<Rule>
  exchange(rule: Rule, token: string, gateway?: number): Promise<ApiResponse>
  eventsOf(rule: Rule): Promise<readonly RuleEvent[]>
  /** Reads with this token as a bearer. */
  bearer(token: string, gateway?: number): Pick<ApiClient, 'get'>
  stop(): Promise<void>
}

/** Starts it. */
export async function startTrustingSystem(): Promise<TrustingSystem> {
  const github = await startFakeCiIssuer(githubClaims, 'github')
  const gitlab = await startFakeCiIssuer(gitlabClaims, 'gitlab')
  const other = await startFakeCiIssuer({ sub: 'org/1/project/2', pipeline: 'p-2' }, 'other')
  const CI_ISSUERS = `github=github+${github.url},gitlab=gitlab+${gitlab.url},circle=${other.url}`
  const system = await startSystem({ gateways: 3, env: { CI_ISSUERS } })
  let people = 0
  const exchange: TrustingSystem['exchange'] = ({ id }, token, gateway) =>
    exchangeToken(system.anyone(gateway), id, token)
  return {
    ...{ system, github, gitlab, other, exchange },
    base: system.baseUrl(),
    async makeRule(fields = {}) {
      people += 1
      const name = `publisher ${people}`
      const owner = await system.user(name, 'pro')
      const made = await owner.post('/api/trusted-publishers', { ...rule, ...fields })
      expect(made.status, made.text).toBe(201)
      return { id: made.json<{ id: string }>().id, owner, name }
    },
    async eventsOf({ id, owner }) {
      const found = await owner.get(`/api/trusted-publishers/${id}/events`)
      return found.json<{ events: RuleEvent[] }>().events
    },
    bearer: (token, gateway = 0) => ({
      get: (path) => system.anyone(gateway).get(path, { Authorization: `Bearer ${token}` }),
    }),
    async stop() {
      await system.stop()
      await Promise.all([github, gitlab, other].map((issuer) => issuer.stop()))
    },
  }
}

/** The access token that an exchange returned. */
export function tokenIn(response: ApiResponse): string {
  expect(response.status, response.text).toBe(200)
  return response.json<{ access_token: string }>().access_token
}
