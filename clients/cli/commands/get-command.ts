import type { RawData, RawOptions } from '../../sdk/raw-data.js'
import { versionOf } from '../../sdk/references.js'
import type { Snipkeep } from '../../sdk/snipkeep.js'
import { type CommandSpec, textOption } from '../command.js'
import type { Context } from '../context.js'
import { passwordFrom } from '../secret-from-stdin.js'
import { received, shareIn } from '../upload.js'
import { contentOptions, writeContent } from '../write-content.js'

/** Only ids of gated shares are so long. */
const gatedIdLength = 24

/** The grant that opens a gated share, after using up one of its views; none for other shares. */
async function revealed(
  context: Context,
  sk: Snipkeep,
  id: string,
  withPassword: boolean,
): Promise<string | undefined> {
  if (id.length !== gatedIdLength) return undefined
  const password = withPassword ? await passwordFrom(context) : undefined
  const { grant, views_left: left } = await sk.shares.reveal(id, password)
  if (typeof left === 'number')
    await context.note(left === 0 ? 'This was its last view.' : `It can be opened ${left} more times.`)
  return grant
}

/** Opens what an argument of `get` names. */
async function openRaw(
  context: Context,
  reference: string,
  part: RawOptions,
  withPassword: boolean,
): Promise<RawData> {
  const share = shareIn(reference)
  if (share !== null) {
    const sk = await context.client('public', share.server)
    const grant = await revealed(context, sk, share.id, withPassword)
    return sk.shares.raw(share.id, { ...part, grant })
  }
  const { snippets } = await context.client()
  const wanted = versionOf(reference)
  return wanted === null
    ? snippets.raw(reference, part)
    : snippets.revisionRaw(wanted.id, wanted.version, part)
}

/** Writes the bytes of a snippet, of one of its versions, or of a share. */
const get: CommandSpec = {
  usage: 'get <id>',
  summary:
    'Write the bytes of a snippet (id or @name; @name@3 for a version) or of a share (URL) to standard output',
  options: {
    '-p, --pointer <pointer>': 'only this value, by its JSON Pointer; strings come decoded',
    '-r, --rows <range>': 'with --pointer: only these rows of an array or of CSV, counted from 1',
    ...contentOptions,
    '--password-stdin': 'the password of the share is on standard input; opening it uses up a view',
  },
  examples: [
    'snipkeep get @nightly-report -p /csv',
    'snipkeep get @nightly-report -p /csv --rows 1-100',
    'snipkeep get @nightly-report@3 -o before.json',
    'snipkeep get https://snipkeep.example/s/rZAApimavIe4RHcY1CnKxr -o team.json',
  ],
  takesSnippets: true,
  async run(context, [id = ''], options) {
    const part = { pointer: textOption(options, 'pointer'), rows: textOption(options, 'rows') }
    const raw = await openRaw(context, id, part, options.passwordStdin === true)
    await writeContent(context.terminal, received(context, raw), options)
  },
}

export const commands: readonly CommandSpec[] = [get]
