import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A comment on a pull request. */
export interface KeptComment {
  readonly id: number
  readonly pullRequest: number
  readonly author: string
  body: string
}

/** A fake GitHub with one repository, `ada/tools`. */
export interface FakeGithub {
  readonly url: string
  readonly comments: KeptComment[]
  /** Open pull requests by number, each with its head. */
  readonly pulls: Map<number, { readonly head: string; readonly sha: string }>
  /** Every request, as method and path. */
  readonly requests: string[]
  /** A token of this login. */
  token(login: string, mayWrite: boolean): string
  /** The environment of a job that may request an ID token. */
  readonly idTokenEnv: Readonly<Record<string, string>>
  stop(): Promise<void>
}

interface Reply {
  readonly status: number
  readonly body: unknown
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return chunks.length === 0 ? {} : JSON.parse(Buffer.concat(chunks).toString())
}

const refused: Reply = { status: 403, body: { message: 'Resource not accessible by integration' } }
const missing: Reply = { status: 404, body: { message: 'Not Found' } }
/** What a job authenticates an ID token request with. */
const jobToken = 'job-token'
const repository = '/repos/ada/tools'

/** Starts a fake that handles the requests the Action makes, and no others. */
export async function startFakeGithub(
  idToken: (audience: string) => Promise<string> = async () => '',
): Promise<FakeGithub> {
  const comments: KeptComment[] = []
  const pulls: FakeGithub['pulls'] = new Map()
  const requests: string[] = []
  const tokens = new Map<string, { login: string; mayWrite: boolean }>()
  let nextId = 1

  const reply = (
    method: string,
    url: URL,
    sent: Record<string, unknown>,
    who: { login: string; mayWrite: boolean },
  ): Reply => {
    if (method === 'POST' && url.pathname === '/graphql')
      return sent.query === '{viewer{login}}'
        ? { status: 200, body: { data: { viewer: { login: who.login } } } }
        : missing
    if (method === 'GET' && url.pathname === `${repository}/pulls`) {
      const found = [...pulls].filter(([, { head }]) => head === url.searchParams.get('head'))
      return { status: 200, body: found.map(([number, { sha }]) => ({ number, head: { sha } })) }
    }
    const [, pull] = new RegExp(`^${repository}/issues/(\\d+)/comments$`).exec(url.pathname) ?? []
    const [, id] = new RegExp(`^${repository}/issues/comments/(\\d+)$`).exec(url.pathname) ?? []
    if (pull !== undefined && method === 'GET') {
      const size = Number(url.searchParams.get('per_page'))
      const from = (Number(url.searchParams.get('page')) - 1) * size
      const found = comments
        .filter(({ pullRequest }) => pullRequest === Number(pull))
        .slice(from, from + size)
      return {
        status: 200,
        body: found.map(({ id, author, body }) => ({ id, user: { login: author }, body })),
      }
    }
    if (!who.mayWrite) return refused
    const { body } = sent
    if (typeof body !== 'string' || body.length > 65_536) return { status: 422, body: {} }
    if (pull !== undefined && method === 'POST') {
      if (!pulls.has(Number(pull))) return missing
      comments.push({ id: nextId++, pullRequest: Number(pull), author: who.login, body })
      return { status: 201, body: {} }
    }
    const kept = comments.find((comment) => comment.id === Number(id))
    if (method !== 'PATCH' || kept === undefined) return missing
    kept.body = body
    return { status: 200, body: {} }
  }

  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://github')
    requests.push(`${request.method} ${url.pathname}`)
    const bearer = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
    const who = tokens.get(bearer)
    const isForJob = url.pathname === '/id-token' && bearer === jobToken
    const { status, body }: Reply = isForJob
      ? { status: 200, body: { value: await idToken(url.searchParams.get('audience') ?? '') } }
      : who === undefined
        ? { status: 401, body: {} }
        : reply(request.method ?? '', url, await bodyOf(request), who)
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    idTokenEnv: {
      ACTIONS_ID_TOKEN_REQUEST_URL: `${url}/id-token?api-version=2.0`,
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: jobToken,
    },
    comments,
    pulls,
    requests,
    token(login, mayWrite) {
      const token = `ghs_${login.replaceAll(/\W/g, '')}${mayWrite ? 'Write' : 'Read'}`
      tokens.set(token, { login, mayWrite })
      return token
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
