import { InputError, type Runner } from './runner.js'

/** What started the workflow. */
export interface Trigger {
  /** The pull request that the run belongs to. */
  readonly pullRequest: PullRequest | null
  /** Why GitHub gives this run no secrets; `null` if it may have some. */
  readonly withoutSecrets: string | null
  /** The commit that the run is about. */
  readonly commit: string
}

/** A pull request's number, or a way to find it: `workflow_run` payloads don't name those of forks. */
export type PullRequest =
  | { readonly number: number }
  | { readonly headOwner: string; readonly headBranch: string; readonly headCommit: string }

/** The value at a path of parsed JSON. */
function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((found, key) => Object(found)[key], value)
}

function textAt(value: unknown, ...path: readonly string[]): string {
  const found = at(value, ...path)
  return typeof found === 'string' ? found : ''
}

function ofWorkflowRun(payload: unknown): Trigger {
  const commit = textAt(payload, 'workflow_run', 'head_sha')
  const headOwner = textAt(payload, 'workflow_run', 'head_repository', 'owner', 'login')
  const headBranch = textAt(payload, 'workflow_run', 'head_branch')
  const isPullRequest = textAt(payload, 'workflow_run', 'event') === 'pull_request'
  const isComplete = commit !== '' && headOwner !== '' && headBranch !== ''
  const pullRequest = isPullRequest && isComplete ? { headOwner, headBranch, headCommit: commit } : null
  return { pullRequest, withoutSecrets: null, commit }
}

function whyWithoutSecrets(runner: Runner, payload: unknown): string | null {
  const [head, own] = ['head', 'base'].map((side) => at(payload, 'pull_request', side, 'repo', 'id'))
  // The fork may have been deleted.
  if (at(payload, 'pull_request') !== undefined && head !== own) return 'This pull request comes from a fork'
  if (runner.env.GITHUB_ACTOR === 'dependabot[bot]') return 'This run was started by Dependabot'
  return null
}

/**
 * Reads what started the workflow.
 * @throws InputError for `pull_request_target`, which runs untrusted code with the repository's secrets.
 */
export async function readTrigger(runner: Runner): Promise<Trigger> {
  const event = runner.env.GITHUB_EVENT_NAME ?? ''
  if (event === 'pull_request_target')
    throw new InputError(
      'This action does not run on pull_request_target, which gives your secrets to the code of strangers. Use pull_request, and for forks the two workflows of docs/ci.md.',
    )
  const payload = await runner.event()
  if (event === 'workflow_run') return ofWorkflowRun(payload)
  const number = at(payload, 'pull_request', 'number')
  return {
    pullRequest: typeof number === 'number' ? { number } : null,
    withoutSecrets: whyWithoutSecrets(runner, payload),
    commit: textAt(payload, 'pull_request', 'head', 'sha') || (runner.env.GITHUB_SHA ?? ''),
  }
}
