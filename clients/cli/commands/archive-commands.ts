import { writeFile } from 'node:fs/promises'
import { secretName } from '#engine/secrets/rules.js'
import { readableSize } from '#libs/core/readable-text.js'
import type { ImportResult } from '../../sdk/generated/types.js'
import { type CommandSpec, textOption } from '../command.js'
import { openContent } from '../content-source.js'
import type { Context } from '../context.js'
import { CliExit, exitCodes, usageError } from '../exit-codes.js'
import { importFrom } from '../imports/import-from.js'
import { received, upload } from '../upload.js'
import { writeOutputFile } from '../write-content.js'

/** Creates an empty file with a name that no other has: two exports of a day keep both archives. */
async function createNumbered(): Promise<string> {
  const start = `snipkeep-${new Date().toISOString().slice(0, 10)}`
  for (let number = 1; ; number += 1) {
    const name = `${start}${number === 1 ? '' : `-${number}`}.tar.gz`
    try {
      await writeFile(name, '', { flag: 'wx', mode: 0o600 })
      return name
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    }
  }
}

/** Writes everything of the account into a file. */
const exportCommand: CommandSpec = {
  usage: 'export',
  summary: 'Write everything that your account holds into an archive (tar.gz)',
  options: {
    '-o, --output <file>': 'the file (default: snipkeep-DATE.tar.gz, numbered if it exists)',
    '--since <time>': 'only what changed since this time (RFC 3339)',
  },
  examples: ['snipkeep export', 'snipkeep export -o backup.tar.gz'],
  async run(context, _args, options) {
    const output = textOption(options, 'output')
    const sk = await context.client()
    const archive = received(context, await sk.account.exportArchive({ since: textOption(options, 'since') }))
    let bytes = 0
    async function* counted(): AsyncGenerator<Uint8Array> {
      for await (const chunk of archive) {
        bytes += chunk.length
        yield chunk
      }
    }
    const name = async () => output ?? (await createNumbered())
    const to = await writeOutputFile(counted(), output ?? 'snipkeep', name, context.terminal.signal)
    await context.note(`Exported ${readableSize(bytes)}.`)
    await context.result({ file: to, size_bytes: bytes }, `${to}\n`)
  },
}

/** What the user should know of an item. */
function notesOf({ path, problem, reason, warnings = [] }: ImportResult): readonly string[] {
  const found = warnings.map(({ rule, certain, pointer, masked }) => {
    const at = pointer === '' ? '' : ` at ${pointer}`
    return `holds ${certain ? '' : 'perhaps '}${secretName(rule)} (${masked})${at}`
  })
  const skipped =
    'skipped: archives contain no passwords, so the share would become public. Create it again with a password.'
  const notes = [
    ...(problem === undefined ? [] : [String(problem.detail)]),
    ...(reason === 'password' ? [skipped] : []),
  ]
  return [...notes, ...found].map((note) => `${path}: ${note}`)
}

async function importArchive(
  context: Context,
  files: readonly string[],
  { dryRun, allowSecrets }: { readonly dryRun: boolean; readonly allowSecrets: boolean },
): Promise<void> {
  const [file, ...others] = files
  if (file === undefined || others.length > 0)
    throw usageError('Name one archive: snipkeep import archive FILE')
  const source = await openContent(file, context.terminal)
  try {
    const report = await upload(context, source, (sk, call) =>
      sk.account.importArchive(source, {
        ...call,
        dryRun: dryRun || undefined,
        allowSecrets: allowSecrets || undefined,
      }),
    )
    for (const note of report.items.flatMap(notesOf)) await context.note(note)
    const { created, exists, skipped, refused } = report.summary
    const done = `${created} created, ${exists} existed, ${skipped} skipped, ${refused} refused`
    await context.result({ ...report, dry_run: dryRun }, `${done}${dryRun ? ' (nothing was stored)' : ''}\n`)
    if (refused > 0) throw new CliExit(exitCodes.failed)
  } finally {
    await source.close()
  }
}

/** Imports an archive, or what other services hold. */
const importCommand: CommandSpec = {
  usage: 'import <from> [what...]',
  summary: 'Import from an archive, gist, opengist, bytestash or privatebin; a second run changes nothing',
  options: {
    '--user <user>': 'with gist: all public gists of this user; with a token of the user, secret ones too',
    '--prefix <text>': 'begins the names of snippets, instead of import-SERVICE',
    '--dry-run': 'only say what would be imported',
    '--allow-secrets': 'with archive: publish shares even if they hold passwords, tokens or private keys',
  },
  examples: [
    'snipkeep import archive snipkeep-2026-11-25.tar.gz',
    'snipkeep import gist aa5a315d61ae9438b18d --user octocat',
    'snipkeep import opengist https://opengist.example/thomas/my-gist',
    'snipkeep import bytestash bytestash-export.json',
    "snipkeep import privatebin 'https://bin.example/?f468483c313401e8#KEY'",
  ],
  async run(context, [from = '', ...what], options) {
    const dryRun = options.dryRun === true
    const allowSecrets = options.allowSecrets === true
    if (from === 'archive') return importArchive(context, what, { dryRun, allowSecrets })
    const [user, prefix] = [textOption(options, 'user'), textOption(options, 'prefix')]
    return importFrom(context, from, { what, user, prefix, dryRun })
  },
}

export const commands: readonly CommandSpec[] = [exportCommand, importCommand]
