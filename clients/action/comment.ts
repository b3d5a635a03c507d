import { type GithubApi, GithubError } from './github-api.js'
import type { Saved } from './save-file.js'
import type { PullRequest } from './trigger.js'

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
