import { memberText } from '#engine/json-bytes/json-walk.js'
import { UnexpectedResponseError } from '../../sdk/problem-error.js'
import { checkAt } from '../../sdk/references.js'
import type { Snipkeep } from '../../sdk/snipkeep.js'
import { type CommandSpec, textOption } from '../command.js'
import { openText } from '../content-source.js'
import { usageError } from '../exit-codes.js'
import { contentOptions, writeContent } from '../write-content.js'

/** A contract as JSON, whose rules are spelled as the server has them: numbers in a schema keep their digits. */
function contractJson(bytes: Uint8Array, fields: string | undefined): string {
  const names = fields?.split(',').map((field) => field.trim())
  const members = (names ?? Object.keys(JSON.parse(Buffer.from(bytes).toString()))).map(
    (name) => `  ${JSON.stringify(name)}: ${memberText(bytes, name) ?? 'null'}`,
  )
  return `{\n${members.join(',\n')}\n}\n`
}

const show: CommandSpec = {
  usage: 'contract show <snippet>',
  summary: 'Print the rules of the contract of a snippet (id or @name)',
  options: contentOptions,
  examples: ['snipkeep contract show @prices > prices.contract.json'],
  takesSnippets: true,
  async run(context, [snippet = ''], options) {
    const bytes = await (await (await context.client()).contracts.raw(snippet)).bytes()
    const rules = memberText(bytes, 'rules')
    if (rules === null) throw new UnexpectedResponseError('The server sent no contract.')
    const { json, jsonFields } = context.options
    const text = json === true ? contractJson(bytes, jsonFields) : `${rules}\n`
    await writeContent(context.terminal, text, options)
  },
}

const set: CommandSpec = {
  usage: 'contract set <snippet> [file]',
  summary: 'Give a snippet (id or @name) the contract whose rules are in a JSON file or standard input',
  examples: ['snipkeep contract set @prices prices.contract.json'],
  takesSnippets: true,
  async run(context, [snippet = '', file]) {
    const source = await openText(file, context.terminal, 'auto')
    try {
      const rules = await new Response(source.open()).text()
      const { etag: _etag, ...contract } = await (await context.client()).contracts.put(snippet, rules)
      await context.note(`Version ${contract.version} of the contract of ${snippet} holds from now on.`)
      await context.result(contract, '')
    } finally {
      await source.close()
    }
  },
}

const remove: CommandSpec = {
  usage: 'contract rm <snippet>',
  summary: 'Remove the contract of a snippet (id or @name)',
  examples: ['snipkeep contract rm @prices'],
  takesSnippets: true,
  async run(context, [snippet = '']) {
    await (await context.client()).contracts.remove(snippet)
    await context.note(`${snippet} has no contract any more.`)
  },
}

/** The id of a check that is named by its id, or by the URL of its page on this server. */
async function checkIdIn(sk: Snipkeep, text: string): Promise<string> {
  if (!/^https?:\/\//.test(text)) return text
  const check = checkAt(text)
  if (check === null) throw usageError(`This is not the URL of a check: ${text}`)
  const isHere = (address: string): boolean => new URL(address).origin === new URL(check.server).origin
  if (isHere(sk.server) || isHere((await sk.config()).public_base_url)) return check.id
  throw usageError(`This check is not on ${new URL(sk.server).origin}: ${text}`)
}

const decisionOptions = { '--note <text>': 'why, for the record' }

const approve: CommandSpec = {
  usage: 'approve <check>',
  summary:
    'Make a checked output (id or URL) the next version of its snippet; prints the number of the version',
  options: decisionOptions,
  examples: ['snipkeep approve https://snipkeep.example/checks/MgCTPCWfX4SCsrxLFQEuGz --note "new tariff"'],
  async run(context, [reference = ''], options) {
    const sk = await context.client()
    const check = await sk.checks.approve(await checkIdIn(sk, reference), textOption(options, 'note'))
    await context.note(`Approved "${check.title}".`)
    await context.result(check, `${check.version}\n`)
  },
}

const reject: CommandSpec = {
  usage: 'reject <check>',
  summary: 'Drop a checked output (id or URL)',
  options: decisionOptions,
  examples: ['snipkeep reject MgCTPCWfX4SCsrxLFQEuGz --note "prices of last year"'],
  async run(context, [reference = ''], options) {
    const sk = await context.client()
    const check = await sk.checks.reject(await checkIdIn(sk, reference), textOption(options, 'note'))
    await context.note(`Rejected "${check.title}".`)
    await context.result(check, '')
  },
}

export const commands: readonly CommandSpec[] = [show, set, remove, approve, reject]
