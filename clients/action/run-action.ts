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
import { hasNoContract, outputsOf, report } from './report.js'
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
function markerOf({ files }: Inputs): string {
  const subjects = files.map(({ path, name }) => name ?? path).join(',')
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

/** Logs what has become known of a file. */
function log(runner: Runner, before: Saved | undefined, { path, checked, snippet, share }: Saved): void {
  if (checked !== null && before === undefined)
    runner.info(`Checked ${path}: ${checked.check.verdict}, ${checked.check.url}`)
  if (snippet !== null && before?.snippet == null)
    runner.info(`Saved ${path} as @${snippet.name} (${snippet.change}).`)
  if (share === null) return
  runner.info(`Shared ${path}: ${share.url}`)
  for (const { rule, pointer, masked } of share.warnings)
    runner.annotate('warning', `${path} seems to hold a secret (${rule}) at ${pointer}: ${masked}`)
}

/** What has become of the files, up to where something failed. */
interface Outcome {
  readonly saved: readonly Saved[]
  /** `null` if nothing failed. */
  readonly failure: { readonly error: unknown } | null
}

async function saveAll(runner: Runner, inputs: Inputs, { auth, end }: Credentials): Promise<Outcome> {
  await requireFiles(inputs.files)
  const sk = new Snipkeep({ server: inputs.server, auth, userAgent: 'snipkeep-action' })
  const saved: Saved[] = []
  try {
    for (const [at, file] of inputs.files.entries())
      for await (const one of saveFile(sk, file, inputs, runner.env)) {
        log(runner, saved[at], one)
        saved[at] = one
      }
    return { saved, failure: null }
  } catch (error) {
    return { saved, failure: { error } }
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
async function commentOn(runner: Runner, inputs: Inputs, trigger: Trigger, markdown: string) {
  if (inputs.comment === 'never' || trigger.pullRequest === null) return null
  const github = githubApi({
    apiUrl: runner.env.GITHUB_API_URL ?? 'https://api.github.com',
    graphqlUrl: runner.env.GITHUB_GRAPHQL_URL ?? 'https://api.github.com/graphql',
    repository: runner.env.GITHUB_REPOSITORY ?? '',
    token: runner.input('github-token'),
  })
  return comment(github, trigger.pullRequest, markerOf(inputs), markdown)
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

function breaks({ checked }: Saved): boolean {
  return checked?.check.verdict === 'breaks'
}

/** @throws InputError if a file breaks a contract. */
function failOnBreaks(saved: readonly Saved[]): void {
  for (const { path, checked } of saved)
    if (checked?.check.verdict === 'breaks')
      throw new InputError(
        `${path} ${hasNoContract(checked.check) ? `differs from ${checked.reference}, which has no contract` : `breaks the contract of ${checked.reference}`}. If it is right, approve it and run the job again: ${checked.check.url}`,
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
  const { saved, failure } = await saveAll(runner, inputs, credentials)
  if (failure !== null && saved.length === 0) throw failure.error
  const markdown = `${report(saved)}${footer(runner, trigger)}`
  const whyNoComment = await commentOn(runner, inputs, trigger, markdown)
  await publish(runner, saved, markdown, whyNoComment)
  // Whatever comes next ends the step, and people should read of both.
  if (failure !== null && saved.some(breaks)) runner.annotate('error', messageOf(failure.error))
  failOnBreaks(saved)
  if (failure !== null) throw failure.error
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
