import { randomUUID } from 'node:crypto'
import { bodyOf } from '../../sdk/content.js'
import { type CommandSpec, listOption, textOption } from '../command.js'
import { openContent } from '../content-source.js'
import { usageError } from '../exit-codes.js'
import { contentOptions, writeContent } from '../write-content.js'

function headerOf(text: string): readonly [string, string] {
  const [, name, value] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):\s*(.*)$/.exec(text) ?? []
  if (name === undefined || value === undefined) throw usageError(`Not a header: ${text}`)
  return [name, value]
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

function methodOf(text: string): (typeof methods)[number] {
  const method = methods.find((one) => one === text.toUpperCase())
  if (method === undefined) throw usageError(`Choose one of ${methods.join(', ')}.`)
  return method
}

/** Calls any operation of the API. */
const api: CommandSpec = {
  usage: 'api <method> <path>',
  summary: 'Call the API with your credentials; prints the response',
  options: {
    '-i, --input <file>': 'the request body; "-" is standard input',
    '-H, --header <header>...': 'a header such as "If-Match: …"; repeat it for several',
    ...contentOptions,
  },
  examples: ['snipkeep api GET /api/auth/profile', 'snipkeep api PATCH /api/snippets/@team -i change.json'],
  async run(context, [method = '', path = ''], options) {
    if (!path.startsWith('/')) throw usageError('A path begins with "/", such as /api/snippets.')
    const { terminal } = context
    const input = textOption(options, 'input')
    const content = input === undefined ? undefined : await openContent(input, terminal)
    try {
      const headers = Object.fromEntries(listOption(options, 'header').map(headerOf))
      const type = new Headers(headers).get('Content-Type') ?? 'application/json'
      const sk = await context.client()
      const wanted = methodOf(method)
      const response = await sk.request({
        method: wanted,
        path,
        headers: {
          Accept: 'application/json',
          ...(wanted === 'POST' ? { 'Idempotency-Key': randomUUID() } : {}),
          ...headers,
        },
        retry: wanted === 'PATCH' ? 'never' : 'safe',
        ...(content === undefined ? {} : { body: bodyOf(content, type) }),
      })
      await writeContent(terminal, response.body ?? '', options)
      if (terminal.stdout.isTTY === true && options.output === undefined) terminal.stdout.write('\n')
    } finally {
      await content?.close()
    }
  },
}

export const commands: readonly CommandSpec[] = [api]
