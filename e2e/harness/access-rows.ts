/** Every kind of caller. */
export const everybody = [
  'nobody',
  'owner',
  'another',
  'key',
  'read-only key',
  'write-only key',
  'expired key',
  'revoked key',
  'key of a lapsed owner',
  'CI job',
  'read-only CI job',
  'CI job of a lapsed owner',
  'operator',
  'suspended',
  'closing',
] as const
export type Who = (typeof everybody)[number]

/** The expected response: the status, and the code if it is an error. */
export type Outcome = number | readonly [number, string]

export type Made = 'snippets' | 'shares' | 'history' | 'keys' | 'trusted-publishers'

/** The expected responses for each caller; `{id}` is a resource of the owner's, created for every request. */
export interface Row {
  readonly of?: Made | 'accounts' | 'reports' | 'contracts' | 'checks'
  /** What is made instead of the usual. */
  readonly made?: object
  /** `{base}` is the address of the system. */
  readonly query?: string
  readonly body?: object | string
  readonly headers?: Readonly<Record<string, string>>
  readonly expected: Readonly<Record<Who, Outcome>>
}

const valid = { tool: 'csv', title: 'Matrix', data: { v: 1 } }
/** What is made for a row. */
export const made: Readonly<Record<Made, object>> = {
  snippets: valid,
  shares: valid,
  history: { tool: 'csv' },
  keys: { name: 'Matrix' },
  'trusted-publishers': { name: 'Matrix', issuer: 'github', repository: 'a/b' },
}

const badKey: Outcome = [401, 'invalid_api_key']
const missing: Outcome = [401, 'missing_credentials']
const notOwner: Outcome = [403, 'not_owner']
const badKeys = {
  nobody: missing,
  suspended: [403, 'account_suspended'],
  closing: [403, 'account_closing'],
  'expired key': badKey,
  'revoked key': badKey,
  'key of a lapsed owner': [403, 'pro_required'],
  'CI job of a lapsed owner': [403, 'pro_required'],
} as const satisfies Partial<Record<Who, Outcome>>

/** A route that reads: what a valid caller gets, and what another one gets of the owner's. */
function reads(another: Outcome = 200): Row['expected'] {
  const tooLittle: Outcome = [403, 'insufficient_scope']
  const keys = { key: 200, 'read-only key': 200, 'write-only key': tooLittle }
  const jobs = { 'CI job': 200, 'read-only CI job': 200 }
  return { ...badKeys, ...keys, ...jobs, owner: 200, another, operator: another }
}

/** The same for a route that writes. */
function writes(good = 200, another: Outcome = good): Row['expected'] {
  const tooLittle: Outcome = [403, 'insufficient_scope']
  const keys = { key: good, 'read-only key': tooLittle, 'write-only key': good }
  const jobs = { 'CI job': good, 'read-only CI job': tooLittle }
  return { ...badKeys, ...keys, ...jobs, owner: good, another, operator: another }
}

/** The same for a route that needs the scope `approve`, which none of these keys has. */
function approves(good: number): Row['expected'] {
  const tooLittle: Outcome = [403, 'insufficient_scope']
  const keys = { key: tooLittle, 'read-only key': tooLittle, 'write-only key': tooLittle }
  const jobs = { 'CI job': tooLittle, 'read-only CI job': tooLittle }
  return { ...badKeys, ...keys, ...jobs, owner: good, another: notOwner, operator: notOwner }
}

/** The same for a route that no API key may use. */
function byTokenAlone(good = 200, another: Outcome = good): Row['expected'] {
  const refused: Outcome = [403, 'identity_token_required']
  const keys = { key: refused, 'read-only key': refused, 'write-only key': refused }
  const jobs = { 'CI job': refused, 'read-only CI job': refused }
  return { ...badKeys, ...keys, ...jobs, owner: good, another, operator: another }
}

/** The same for a request that is wrong. */
function failing(row: Row['expected'], how: Outcome): Row['expected'] {
  const outcomes = everybody.map((who) => [who, row[who] === 200 ? how : row[who]])
  return Object.fromEntries(outcomes) as Row['expected']
}

/** The same for a route of operators, which does not exist for others who have signed in. */
function byOperator(good = 200): Row['expected'] {
  const hidden: Outcome = [404, 'not_found']
  return { ...byTokenAlone(), owner: hidden, another: hidden, operator: good }
}

const loginTooOld: Outcome = [401, 'login_too_old']
const unsigned: Outcome = [400, 'invalid_signature']
const unsignedByAll = Object.fromEntries(everybody.map((who) => [who, unsigned])) as Record<Who, Outcome>
const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
const unproven: Outcome = [400, 'invalid_grant']
const unprovenByAll = Object.fromEntries(everybody.map((who) => [who, unproven])) as Record<Who, Outcome>
const open = Object.fromEntries(everybody.map((who) => [who, 200])) as Record<Who, Outcome>

/** The body of an act. */
export const why = { reason: 'a test' }

/** What each route gives each caller. */
export const matrix: Readonly<Record<string, Row>> = {
  'get /api/snippets': { expected: reads() },
  'post /api/snippets': { body: valid, expected: writes(201) },
  'put /api/snippets': { body: valid, expected: writes(201) },
  'get /api/snippets/{id}': { of: 'snippets', expected: reads(notOwner) },
  'get /api/snippets/{id}/raw': { of: 'snippets', expected: reads(notOwner) },
  'patch /api/snippets/{id}': { of: 'snippets', body: { title: 'Changed' }, expected: writes(200, notOwner) },
  'put /api/snippets/{id}': { of: 'snippets', body: valid, expected: writes(200, notOwner) },
  'delete /api/snippets/{id}': { of: 'snippets', expected: writes(200, notOwner) },
  'get /api/snippets/{id}/revisions': { of: 'snippets', expected: reads(notOwner) },
  'get /api/snippets/{id}/revisions/{version}': { of: 'snippets', expected: reads(notOwner) },
  'get /api/snippets/{id}/revisions/{version}/raw': { of: 'snippets', expected: reads(notOwner) },
  'post /api/snippets/{id}/restore': {
    of: 'snippets',
    body: { version: 1 },
    expected: writes(200, notOwner),
  },
  'get /api/snippets/{id}/contract': { of: 'contracts', expected: reads(notOwner) },
  'put /api/snippets/{id}/contract': { of: 'snippets', body: {}, expected: approves(201) },
  'delete /api/snippets/{id}/contract': { of: 'contracts', expected: approves(204) },
  'post /api/snippets/{id}/checks': {
    of: 'snippets',
    body: { data: { v: 2 } },
    expected: writes(201, notOwner),
  },
  'get /api/snippets/{id}/checks': { of: 'snippets', expected: reads(notOwner) },
  'get /api/checks/{id}': { of: 'checks', expected: reads(notOwner) },
  'get /api/checks/{id}/raw': { of: 'checks', expected: reads(notOwner) },
  'post /api/checks/{id}/approve': { of: 'checks', body: {}, expected: approves(200) },
  'post /api/checks/{id}/reject': { of: 'checks', body: {}, expected: approves(200) },
  'post /api/shares': { body: valid, expected: writes(201) },
  'put /api/shares': { body: valid, expected: writes(201) },
  'get /api/shares': { expected: reads() },
  'get /api/shares/{id}': { of: 'shares', expected: open },
  'get /api/shares/{id}/raw': { of: 'shares', expected: open },
  'post /api/shares/{id}/reveal': { of: 'shares', made: { ...valid, burn: true }, body: {}, expected: open },
  'get /oembed': { of: 'shares', query: '?url={base}/s/{id}', expected: open },
  'delete /api/shares/{id}': { of: 'shares', expected: writes(200, notOwner) },
  'post /api/reports': {
    of: 'shares',
    body: { share: '{id}', reason: 'other' },
    expected: Object.fromEntries(everybody.map((who) => [who, 201])) as Record<Who, Outcome>,
  },
  'post /api/compare': { body: { a: { data: {} }, b: { data: { v: 1 } } }, expected: reads() },
  'get /api/tools': { expected: open },
  'post /api/tools/{name}': { body: {}, expected: reads() },
  'post /api/history': { body: made.history, expected: writes(201) },
  'get /api/history': { expected: reads() },
  'delete /api/history': { expected: writes() },
  'get /api/history/{id}': { of: 'history', expected: reads(notOwner) },
  'delete /api/history/{id}': { of: 'history', expected: writes(200, notOwner) },
  'post /api/keys': { body: made.keys, expected: byTokenAlone(201) },
  'get /api/keys': { expected: byTokenAlone() },
  'get /api/keys/{id}': { of: 'keys', expected: byTokenAlone(200, notOwner) },
  'get /api/keys/{id}/usage': { of: 'keys', expected: byTokenAlone(200, notOwner) },
  'delete /api/keys/{id}': { of: 'keys', expected: byTokenAlone(200, notOwner) },
  'post /api/keys/{id}/rotate': { of: 'keys', body: {}, expected: byTokenAlone(201, notOwner) },
  'delete /api/keys/{id}/previous': { of: 'keys', expected: byTokenAlone(404, notOwner) },
  'post /api/keys/revoke': { body: { key: 'snk_unknown' }, expected: open },
  'post /api/trusted-publishers': { body: made['trusted-publishers'], expected: byTokenAlone(201) },
  'get /api/trusted-publishers': { expected: byTokenAlone() },
  'get /api/trusted-publishers/{id}': { of: 'trusted-publishers', expected: byTokenAlone(200, notOwner) },
  'get /api/trusted-publishers/{id}/events': {
    of: 'trusted-publishers',
    expected: byTokenAlone(200, notOwner),
  },
  'patch /api/trusted-publishers/{id}': {
    of: 'trusted-publishers',
    body: {},
    expected: byTokenAlone(200, notOwner),
  },
  'delete /api/trusted-publishers/{id}': { of: 'trusted-publishers', expected: byTokenAlone(200, notOwner) },
  'post /api/oauth/token': {
    headers: form,
    body: `grant_type=urn:ietf:params:oauth:grant-type:token-exchange&subject_token=a.b.c&subject_token_type=urn:ietf:params:oauth:token-type:jwt&trusted_publisher=tp_${'A'.repeat(22)}`,
    expected: unprovenByAll,
  },
  'post /api/oauth/revoke': { headers: form, body: 'token=nobodys', expected: open },
  'get /api/subscription': { expected: byTokenAlone() },
  'post /api/subscription/checkout': { body: { interval: 'month' }, expected: byTokenAlone(201) },
  // These find customers that checkouts created, whether they have paid or not.
  'post /api/subscription/portal': { expected: byTokenAlone(201) },
  'post /api/subscription/cancel': { expected: byTokenAlone(404) },
  'post /api/subscription/resume': { expected: byTokenAlone(404) },
  'post /api/webhooks/stripe': { expected: unsignedByAll },
  // The tokens of the matrix do not say when their holders signed in.
  'delete /api/account': {
    body: { confirm: 'owner@example.com' },
    expected: {
      ...byTokenAlone(),
      owner: loginTooOld,
      another: loginTooOld,
      operator: loginTooOld,
      closing: loginTooOld,
    },
  },
  'get /api/auth/profile': { expected: reads() },
  'get /api/events': { expected: reads() },
  // Whoever may call these gets as far as what is wrong with the request: an account has few of them a day.
  'get /api/export': { query: '?since=ever', expected: failing(reads(), [400, 'validation_failed']) },
  'post /api/import': {
    headers: { 'Content-Type': 'application/gzip' },
    body: 'no archive',
    expected: failing(writes(), [400, 'archive_invalid']),
  },
  'get /api/plans': { expected: open },
  'get /api/operator/reports': { expected: byOperator() },
  'post /api/operator/reports/{id}/resolve': { of: 'reports', body: why, expected: byOperator() },
  'get /api/operator/accounts': { query: '?q=victim@example.com', expected: byOperator() },
  'get /api/operator/accounts/{id}': { of: 'accounts', expected: byOperator() },
  'get /api/operator/accounts/{id}/events': { of: 'accounts', expected: byOperator() },
  'get /api/operator/accounts/{id}/shares': { of: 'accounts', expected: byOperator() },
  'post /api/operator/accounts/{id}/suspend': { of: 'accounts', body: why, expected: byOperator() },
  'post /api/operator/accounts/{id}/resume': { of: 'accounts', body: why, expected: byOperator() },
  'post /api/operator/accounts/{id}/grant-plan': {
    of: 'accounts',
    body: { ...why, plan: 'pro', expires_in: 3_600 },
    expected: byOperator(),
  },
  'post /api/operator/accounts/{id}/end-grant': { of: 'accounts', body: why, expected: byOperator() },
  'get /api/operator/shares/{id}': { of: 'shares', expected: byOperator() },
  'post /api/operator/shares/{id}/disable': { of: 'shares', body: why, expected: byOperator() },
  'post /api/operator/shares/{id}/enable': { of: 'shares', body: why, expected: byOperator() },
  'get /api/operator/acts': { expected: byOperator() },
  'get /api/operator/queues': { expected: byOperator() },
  'get /api/openapi.json': { expected: open },
  'get /api/docs': { expected: open },
  'get /llms.txt': { expected: open },
  // Any scope: the request behind each tool is checked for its own.
  'post /mcp': {
    body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    headers: { Accept: 'application/json, text/event-stream' },
    expected: { ...writes(), 'read-only key': 200, 'read-only CI job': 200 },
  },
  // Last of those that need credentials: afterwards the closing account is open again.
  'post /api/account/restore': { expected: { ...byTokenAlone(), closing: 200 } },
  'get /healthz': { expected: open },
  'get /readyz': { expected: open },
}
