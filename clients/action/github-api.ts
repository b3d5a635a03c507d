export interface Comment {
  readonly id: number
  readonly author: string
  readonly body: string
}

/** An error response of GitHub. */
export class GithubError extends Error {
  override readonly name = 'GithubError'
  readonly status: number
  constructor(status: number) {
    super(`GitHub returned ${status}`)
    this.status = status
  }
}

export interface GithubApiOptions {
  readonly apiUrl: string
  readonly graphqlUrl: string
  /** Owner and name. */
  readonly repository: string
  readonly token: string
}

const timeoutMs = 30_000
const pageSize = 100
const pagesMax = 30

function textOf(value: unknown, key: string): string {
  const found: unknown = Object(value)[key]
  return typeof found === 'string' ? found : ''
}

function commentOf(value: unknown): Comment {
  return {
    id: Number(Object(value).id),
    author: textOf(Object(value).user, 'login'),
    body: textOf(value, 'body'),
  }
}

/** A client of the API of github.com or a GitHub Enterprise Server. */
export function githubApi({ apiUrl, graphqlUrl, repository, token }: GithubApiOptions) {
  const send = async (method: string, url: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(url, {
      method,
      headers: {
        Accept: 'application/vnd.github+json',
        Authorization: `Bearer ${token}`,
        'Content-Type': 'application/json',
        'User-Agent': 'snipkeep-action',
        'X-GitHub-Api-Version': '2022-11-28',
      },
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!response.ok) {
      await response.body?.cancel()
      throw new GithubError(response.status)
    }
    return response.json()
  }
  const rest = (method: string, path: string, body?: unknown) =>
    send(method, `${apiUrl}/repos/${repository}${path}`, body)
  const list = async (path: string): Promise<readonly unknown[]> => {
    const found = await rest('GET', path)
    return Array.isArray(found) ? found : []
  }
  return {
    /** The token's user. */
    async login() {
      const { data } = Object(await send('POST', graphqlUrl, { query: '{viewer{login}}' }))
      return textOf(Object(data).viewer, 'login')
    },
    /** The number of the open pull request with this head; `null` if there is none. */
    async findPullRequest({
      headOwner,
      headBranch,
      headCommit,
    }: {
      headOwner: string
      headBranch: string
      headCommit: string
    }) {
      const query = new URLSearchParams({ state: 'open', head: `${headOwner}:${headBranch}` })
      const found = (await list(`/pulls?${query}`)).find(
        (pull) => textOf(Object(pull).head, 'sha') === headCommit,
      )
      return found === undefined ? null : Number(Object(found).number)
    },
    async *comments(pullRequest: number) {
      for (let page = 1; page <= pagesMax; page += 1) {
        const found = await list(`/issues/${pullRequest}/comments?per_page=${pageSize}&page=${page}`)
        yield* found.map(commentOf)
        if (found.length < pageSize) return
      }
    },
    async createComment(pullRequest: number, body: string) {
      await rest('POST', `/issues/${pullRequest}/comments`, { body })
    },
    async updateComment(id: number, body: string) {
      await rest('PATCH', `/issues/comments/${id}`, { body })
    },
  }
}

/** What the step does at GitHub, with its job's token. */
export type GithubApi = Readonly<ReturnType<typeof githubApi>>
