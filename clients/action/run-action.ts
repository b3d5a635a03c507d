import {
  type Auth,
  apiKey,
  githubActions,
  jobUrl,
  ProblemError,
  Snipkeep,
  SnipkeepError,
} from '../sdk/exports.js'
import { type GithubApi, GithubError, githubApi } from './github-api.js'
import { type Inputs, readInputs } from './inputs.js'
import { outputsOf, report } from './report.js'
import { type Env, githubRunner, InputError, type Runner } from './runner.js'
import { requireFiles, type Saved, saveFile } from './save-file.js'
import { type PullRequest, readTrigger, type Trigger } from './trigger.js'

/** What the step authenticates with. */
interface Credentials {
  readonly auth: Auth
  /** Revokes what was created for this step. */
  end(server: string): Promise<void>
}

function withKey(runner: Runner, key: string): Credentials {
  runner.mask(key)
  if (!/^[\x21-\x7e]+$/.test(key)) throw new InputError('key has characters that no API key has.')
  return { auth: apiKey(key), end: async () => undefined }
}

/** Tokens of the trusted publisher: masked when received, and revoked at the end of the step. */
function withoutKey(runner: Runner, trust: string): Credentials {
  const exchanged = githubActions({ trust })
  const tokens = new Set<string>()
  const auth: Auth = {
    ...exchanged,
    async headers(call) {
      const headers = await exchanged.headers(call)
      const token = headers.Authorization?.replace(/^Bearer /, '') ?? ''
      if (token !== '' && !tokens.has(token)) runner.mask(token)
      tokens.add(token)
      return headers
    },
  }
  return {
    auth,
    async end(server) {
      const anyone = new Snipkeep({ server, retries: 0 })
      // It expires within minutes anyway.
      for (const token of tokens) await anyone.trustedPublishers.revoke(token).catch(() => undefined)
    },
  }
}

/**
 * The credentials given to the step; `null` if none.
 * @throws InputError for a malformed key, without repeating it, and if both a key and a trusted publisher are
 * given.
 */
function credentialsOf(runner: Runner): Credentials | null {
  const [key, trust] = [runner.input('key'), runner.input('trust')]
  if (key !== '' && trust !== '') throw new InputError('Set trust or key, not both.')
  if (key !== '') return withKey(runner, key)
  const mayProve = (runner.env.ACTIONS_ID_TOKEN_REQUEST_URL ?? '') !== ''
  return trust !== '' && mayProve ? withoutKey(runner, trust) : null
}

/** Marks our comment. Steps with other files have comments of their own. */
export function markerOf(saved: readonly Saved[]): string {
  const subjects = saved.map(({ path, snippet }) => snippet?.name ?? path).join(',')
  return `<!-- snipkeep:${subjects.replaceAll(/[^A-Za-z0-9._,/-]/g, '-').slice(0, 500)} -->`
}

/** Never edits other users' comments, whatever they begin with. */
async function ownComment(github: GithubApi, pullRequest: number, marker: string): Promise<number | null> {
  const login = await github.login()
  for await (const { id, author, body } of github.comments(pullRequest))
    if (author === login && body.startsWith(marker)) return id
  return null
}

async function write(github: GithubApi, pullRequest: PullRequest, marker: string, markdown: string) {
  const number = 'number' in pullRequest ? pullRequest.number : await github.findPullRequest(pullRequest)
  if (number === null) return 'No comment: the pull request is closed, or has moved on to another commit.'
  const body = `${marker}\n${markdown}`
  const id = await ownComment(github, number, marker)
  if (id === null) await github.createComment(number, body)
  else await github.updateComment(id, body)
  return null
}

function whyNot(error: unknown): string {
  if (error instanceof GithubError && (error.status === 403 || error.status === 404))
    return "No comment: the job's token may not write on pull requests. Give the job the permission `pull-requests: write`; jobs of forks cannot have it (docs/ci.md)."
  return `No comment: ${error instanceof GithubError ? error.message : 'GitHub could not be reached'}.`
}

/** Creates or updates the comment on a pull request. Returns why it could not, or `null`. */
export async function comment(
  github: GithubApi,
  pullRequest: PullRequest,
  marker: string,
  markdown: string,
): Promise<string | null> {
  return write(github, pullRequest, marker, markdown).catch(whyNot)
}

async function saveAll(
  runner: Runner,
  inputs: Inputs,
  { auth, end }: Credentials,
): Promise<readonly Saved[]> {
  await requireFiles(inputs.files)
  const sk = new Snipkeep({ server: inputs.server, auth, userAgent: 'snipkeep-action' })
  const saved: Saved[] = []
  try {
    for (const file of inputs.files) {
      const one = await saveFile(sk, file, inputs, runner.env)
      saved.push(one)
      if (one.checked !== null)
        runner.info(`Checked ${one.path}: ${one.checked.check.verdict}, ${one.checked.check.url}`)
      if (one.snippet !== null)
        runner.info(`Saved ${one.path} as @${one.snippet.name} (${one.snippet.change}).`)
      if (one.share === null) continue
      runner.info(`Shared ${one.path}: ${one.share.url}`)
      for (const { rule, pointer, masked } of one.share.warnings)
        runner.annotate('warning', `${one.path} seems to hold a secret (${rule}) at ${pointer}: ${masked}`)
    }
    return saved
  } finally {
    await end(inputs.server)
  }
}

function whatIsMissing(runner: Runner): string {
  return runner.input('trust') === ''
    ? 'Set trust to the id of a trusted publisher (tp_…), or key to an API key from a secret.'
    : 'This job may not have an ID token. Give it the permission `id-token: write`.'
}

/** The commit and run the numbers are from. */
function footer({ env }: Runner, { commit }: Trigger): string {
  const url = jobUrl(env)
  return url === undefined ? '' : `\n\nCommit ${commit.slice(0, 12)}, [run ${env.GITHUB_RUN_ID}](${url}).`
}

/** Comments if requested and possible; returns why it could not, for the summary. */
async function commentOn(
  runner: Runner,
  inputs: Inputs,
  trigger: Trigger,
  saved: readonly Saved[],
  markdown: string,
) {
  if (inputs.comment === 'never' || trigger.pullRequest === null) return null
  const github = githubApi({
    apiUrl: runner.env.GITHUB_API_URL ?? 'https://api.github.com',
    graphqlUrl: runner.env.GITHUB_GRAPHQL_URL ?? 'https://api.github.com/graphql',
    repository: runner.env.GITHUB_REPOSITORY ?? '',
    token: runner.input('github-token'),
  })
  return comment(github, trigger.pullRequest, markerOf(saved), markdown)
}

async function publish(
  runner: Runner,
  saved: readonly Saved[],
  markdown: string,
  whyNoComment: string | null,
) {
  const note = whyNoComment === null ? '' : `\n\n${whyNoComment}`
  await runner.summarize(`${markdown}${note}`)
  const [first] = saved
  const outputs: Readonly<Record<string, string>> = first === undefined ? {} : outputsOf(first)
  for (const [name, value] of Object.entries(outputs)) await runner.output(name, value)
  await runner.output('summary', markdown)
  const results = saved.map((one) => ({ path: one.path, ...outputsOf(one) }))
  await runner.output('results', JSON.stringify(results))
}

/** @throws InputError if a file breaks a contract. */
function failOnBreaks(saved: readonly Saved[]): void {
  for (const { path, checked } of saved)
    if (checked?.check.verdict === 'breaks')
      throw new InputError(
        `${path} breaks the contract of ${checked.reference}. If it is right, approve it and run the job again: ${checked.check.url}`,
      )
}

/** @throws InputError if a file differs from the snippet it is compared with, or was too large to compare. */
function failOnChange(saved: readonly Saved[]): void {
  for (const { path, compared } of saved) {
    if (compared?.found?.equal === false)
      throw new InputError(`${path} differs from ${compared.reference}. The summary shows how.`)
    if (compared?.isTooLarge === true)
      throw new InputError(`${path} was not compared with ${compared.reference}: ${compared.why}.`)
  }
}

async function run(runner: Runner): Promise<void> {
  const token = runner.input('github-token')
  runner.mask(token)
  const credentials = credentialsOf(runner)
  const trigger = await readTrigger(runner)
  if (credentials === null && trigger.withoutSecrets !== null) {
    const message = `Nothing was saved. ${trigger.withoutSecrets}, and GitHub gives such a run no secrets and no ID token. docs/ci.md shows how a second workflow saves its outputs.`
    runner.annotate('notice', message)
    return runner.summarize(message)
  }
  const inputs = readInputs(runner)
  if (credentials === null) throw new InputError(whatIsMissing(runner))
  const saved = await saveAll(runner, inputs, credentials)
  const markdown = `${report(saved)}${footer(runner, trigger)}`
  const whyNoComment = await commentOn(runner, inputs, trigger, saved, markdown)
  await publish(runner, saved, markdown, whyNoComment)
  failOnBreaks(saved)
  if (inputs.failOn === 'change') failOnChange(saved)
  if (whyNoComment === null) return
  if (inputs.comment === 'always') throw new InputError(whyNoComment)
  runner.annotate('notice', whyNoComment)
}

function messageOf(error: unknown): string {
  if (error instanceof ProblemError) {
    const detail = error.errors.length > 1 ? error.errors.map((one) => one.detail).join(' ') : error.detail
    return `${detail} [${error.code}, request ${error.requestId}]`
  }
  if (error instanceof SnipkeepError || error instanceof InputError) return error.message
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
}

/** Runs the step and returns its exit code. Failures become annotations of the job. */
export async function runAction(env: Env, write: (text: string) => void): Promise<number> {
  const runner = githubRunner(env, write)
  try {
    await run(runner)
    return 0
  } catch (error) {
    runner.annotate('error', messageOf(error))
    return 1
  }
}
