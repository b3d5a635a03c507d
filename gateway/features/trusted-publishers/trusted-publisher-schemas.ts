import { z } from 'zod'
import type {
  TrustedPublisher,
  TrustedPublisherEvent,
} from '#proto/snipkeep/identity/v1/trusted_publisher_service.js'
import type { CiIssuer } from '#shared/config/ci-issuers.js'
import { jobScopes, scopeNames } from '../../request/key-scopes.js'
import { plainText, timestamp } from '../schemas.js'

const name = plainText(100).meta({ example: 'website releases' })
const repository = plainText(255).meta({
  description:
    'Full name of the repository or project, such as `acme/website`. Required for GitHub and GitLab. It only helps you find the ids: a token is never accepted by name alone.',
  example: 'acme/website',
})
const claims = z.record(z.string(), z.string('must be a string')).meta({
  description:
    'Claims that a token must contain, with exactly these values. GitHub needs `repository_id` and `repository_owner_id`, GitLab `project_id` and `namespace_id`; without them the rule is not `pinned` and accepts nothing. Narrow it with claims such as `ref`, `environment` or `workflow_ref`.',
  example: { repository_id: '74', repository_owner_id: '65', ref: 'refs/heads/main' },
})
const events = z
  .array(z.string())
  .max(20, 'must have at most 20 items')
  .meta({
    description:
      "Events that may start a job (GitHub's `event_name`, GitLab's `pipeline_source`). None means any but `workflow_run`; `pull_request_target` is never accepted.",
    example: ['push', 'release'],
  })
const scopes = jobScopes.describe('What its tokens may do. Defaults to both.')
const ttl = z
  .int('must be a whole number of seconds')
  .min(60, 'must be at least 60 seconds')
  .max(3_600, 'must be at most 3600 seconds')
  .describe('Seconds that its tokens live. Defaults to 900.')

export const newTrustedPublisher = z.strictObject({
  name,
  issuer: z.string().meta({
    description: '`github`, `gitlab`, or another issuer configured by the operator.',
    example: 'github',
  }),
  repository: repository.optional(),
  claims: claims.optional(),
  events: events.optional(),
  scopes: scopes.optional(),
  ttl: ttl.optional(),
})

export const trustedPublisherChange = z.strictObject({
  name: name.optional(),
  repository: repository.optional(),
  claims: claims.optional(),
  events: events.optional(),
  scopes: scopes.optional(),
  ttl: ttl.optional(),
  disabled: z.boolean().optional().describe('Whether it accepts nothing for now.'),
})

const claimMap = z.record(z.string(), z.string())

export const trustedPublisher = z
  .object({
    id: z.string(),
    name: z.string(),
    issuer: z.string().describe('Name of the issuer, or its URL if it is no longer configured.'),
    issuer_url: z.string(),
    repository: z.string().nullable(),
    claims: claimMap,
    events: z.array(z.string()),
    scopes: z.array(z.enum(['read', 'write'])),
    ttl: z.int(),
    pinned: z.boolean().describe('Whether it names the ids that it needs to accept anything.'),
    created_at: timestamp,
    disabled_at: timestamp.nullable().describe('null while it is in force.'),
    last_used_at: timestamp.nullable().describe('null until first used; lags by a few seconds.'),
    request_count: z.int().describe('Requests made with its tokens; lags by a few seconds.'),
  })
  .meta({ id: 'TrustedPublisher' })

export const trustedPublisherList = z
  .object({
    trusted_publishers: z.array(trustedPublisher),
    issuers: z.array(z.string()).describe('Names of the issuers that rules may use here.'),
  })
  .meta({ id: 'TrustedPublisherList' })

const reasons = [
  'disabled',
  'account_suspended',
  'pro_required',
  'owner_away',
  'other_issuer',
  'other_repository',
  'other_audience',
  'expired',
  'not_yet_valid',
  'not_pinned',
  'claim_mismatch',
  'event_not_allowed',
  'assertion_used',
] as const

/** The latest attempts to get a token. */
export const trustedPublisherEvents = z
  .object({
    events: z.array(
      z.object({
        id: z.string(),
        at: timestamp,
        outcome: z.enum(['issued', 'refused']),
        reason: z.enum(reasons).nullable().describe('Why it was refused; null when it was not.'),
        claim: z.string().nullable().describe('The claim that did not match.'),
        claims: claimMap.describe('Claims of the job token.'),
        pin: claimMap
          .nullable()
          .describe('Claims to add to the rule to trust this repository; null if there are none.'),
      }),
    ),
  })
  .meta({ id: 'TrustedPublisherEvents' })

export const grantType = 'urn:ietf:params:oauth:grant-type:token-exchange'
export const idTokenTypes: readonly string[] = [
  'urn:ietf:params:oauth:token-type:id_token',
  'urn:ietf:params:oauth:token-type:jwt',
]
export const accessTokenType = 'urn:ietf:params:oauth:token-type:access_token'

/** RFC 8693 §2.1. */
export const exchangeForm = z.object({
  grant_type: z.string().describe(`Always \`${grantType}\`.`),
  subject_token: z.string().describe("The job's ID token."),
  subject_token_type: z.string().describe(`\`${idTokenTypes[0]}\` or \`${idTokenTypes[1]}\`.`),
  trusted_publisher: z.string().describe('Id of the trusted publisher (`tp_…`).'),
  audience: z.string().optional().describe("This installation's address, if given at all."),
  resource: z.string().optional().describe('The same as `audience`.'),
  requested_token_type: z.string().optional().describe(`\`${accessTokenType}\`, if given at all.`),
  scope: z
    .string()
    .optional()
    .describe(
      "`read`, `write` or both, separated by a space. The trusted publisher decides; the response has the token's scope.",
    ),
})

/** The response to an exchange. */
export const exchangedToken = z
  .object({
    access_token: z.string().describe('Send it as a Bearer token or in X-API-Key.'),
    issued_token_type: z.literal(accessTokenType),
    token_type: z.literal('Bearer'),
    expires_in: z.int().describe('Seconds.'),
    scope: z.string().describe('`read`, `write` or both, separated by a space.'),
  })
  .meta({ id: 'ExchangedToken' })

/** RFC 7009 §2.1. */
export const revokeForm = z.object({
  token: z.string().describe('The access token (`snx_…`) to end.'),
  token_type_hint: z.string().optional().describe('Ignored.'),
})

/** An error of RFC 6749 §5.2 that is also a problem. */
export const oauthProblem = z
  .object({
    error: z.enum([
      'invalid_request',
      'invalid_grant',
      'invalid_scope',
      'invalid_target',
      'unsupported_grant_type',
    ]),
    error_description: z.string(),
    code: z.string().describe('The same as `error`.'),
    request_id: z.string(),
  })
  .loose()
  .meta({ id: 'OAuthProblem' })

export function publisherResponse(
  publisher: TrustedPublisher | undefined,
  issuers: readonly CiIssuer[],
): Record<string, unknown> {
  if (publisher?.createdAt === undefined) throw new Error('identity returned no trusted publisher')
  const { id, name, issuer, repository, claims, events, ttlSeconds, pinned, requestCount } = publisher
  return {
    id,
    name,
    issuer: issuers.find((one) => one.issuer === issuer)?.name ?? issuer,
    issuer_url: issuer,
    repository: repository === '' ? null : repository,
    claims,
    events,
    scopes: scopeNames(publisher.scopes),
    ttl: ttlSeconds,
    pinned,
    created_at: publisher.createdAt.toISOString(),
    disabled_at: publisher.disabledAt?.toISOString() ?? null,
    last_used_at: publisher.lastUsedAt?.toISOString() ?? null,
    request_count: requestCount,
  }
}

/** An attempt to get a token. */
export function eventResponse(event: TrustedPublisherEvent): Record<string, unknown> {
  const { id, at, reason, claim, claims, pin } = event
  return {
    id,
    at: at?.toISOString(),
    outcome: reason === '' ? 'issued' : 'refused',
    reason: reason === '' ? null : reason,
    claim: claim === '' ? null : claim,
    claims,
    pin: Object.keys(pin).length === 0 ? null : pin,
  }
}
