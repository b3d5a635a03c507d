import { jobUrl } from '../../sdk/ci-auth.js'
import type { Check } from '../../sdk/generated/types.js'
import { type CommandSpec, choice, type OptionValues, textOption } from '../command.js'
import { openText } from '../content-source.js'
import type { Context } from '../context.js'
import { exitByVerdict, usageError } from '../exit-codes.js'
import { printVerdict } from '../print-verdict.js'
import { printable } from '../terminal.js'
import { encodingOption, holding, textOptions, toolOf, upload } from '../upload.js'

/** What is to be said of a verdict that no contract has led to. */
function withoutContract({ verdict, contract_version }: Check, against: string) {
  const name = printable(against)
  if (verdict === 'new')
    return { said: `no snippet is called ${name} yet; approving this output creates it. Is the name right?` }
  const isBare = verdict === 'breaks' && contract_version === null
  return isBare ? { also: `; ${name} has no contract, so every difference breaks` } : {}
}

/** What has become of a candidate, for people. */
function outcomeOf({ state, version, baseline_version, expires_at }: Check): string {
  if (state === 'pending')
    return `It waits for approval until ${expires_at.slice(0, 10)}: the owner opens the link, or runs snipkeep approve.`
  return version === baseline_version
    ? `Version ${version} has these bytes.`
    : `It is version ${version} now.`
}

async function passes(context: Context, file: string | undefined, options: OptionValues): Promise<boolean> {
  const against = textOption(options, 'against')
  if (against === undefined) throw usageError('Name the snippet, such as --against @nightly-report.')
  const accept = choice(options, 'accept', ['same', 'allowed', 'never'])
  const source = await openText(file, context.terminal, textOption(options, 'encoding'))
  try {
    const candidate = {
      ...holding(source, options.data === true, textOption(options, 'key')),
      ...{ tool: textOption(options, 'tool'), title: textOption(options, 'title'), accept },
      ifNew: { tool: toolOf(source.name), title: source.name ?? undefined },
      source: jobUrl(context.terminal.env),
    }
    const checked = await upload(context, source, (sk, call) => sk.checks.create(against, candidate, call))
    await printVerdict(context, checked, { ...withoutContract(checked, against), more: `${checked.url}\n` })
    await context.note(outcomeOf(checked))
    return checked.verdict !== 'breaks'
  } finally {
    await source.close()
  }
}

/** Has a candidate judged by the contract of a snippet. */
const check: CommandSpec = {
  usage: 'check [file]',
  summary: 'Judge a file or standard input by the contract of a snippet; prints the verdict and a link',
  options: {
    '--against <snippet>': 'the snippet (id or @name), whose current version is the baseline',
    '--accept <same|allowed|never>':
      'the verdicts that make it the next version at once (default: same); allowed includes same',
    '-t, --tool <tool>': 'the tool that made it (default: that of the snippet)',
    '--title <title>': 'its title (default: that of the snippet)',
    '--key <member>': textOptions['--key <member>'] ?? '',
    '--data': 'the file is a JSON object, as data itself',
    ...encodingOption,
  },
  examples: [
    'snipkeep check prices.csv --against @prices',
    'report | snipkeep check - --against @nightly-report --accept allowed',
  ],
  takesSnippets: true,
  async run(context, [file], options) {
    await exitByVerdict(() => passes(context, file, options), context.explained)
  },
}

export const commands: readonly CommandSpec[] = [check]
