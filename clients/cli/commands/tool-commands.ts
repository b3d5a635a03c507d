import { converters, findConverter } from '#engine/tools/converters.js'
import { tools } from '#engine/tools/registry.js'
import { boundedNotes, type ToolDescription } from '#engine/tools/tool.js'
import type { CommandSpec, OptionValues } from '../command.js'
import { openContent } from '../content-source.js'
import type { Context } from '../context.js'
import { usageError } from '../exit-codes.js'
import { printList } from '../print-list.js'
import type { Column } from '../table.js'
import { toolFailure, toolFlags, toolOptions } from '../tool-options.js'
import { contentOptions, writeContent } from '../write-content.js'

/** Runs a tool on a file or standard input, here: nothing is sent anywhere. */
async function runTool(
  tool: ToolDescription,
  file: string | undefined,
  values: OptionValues,
  { terminal, note }: Context,
): Promise<void> {
  const source = await openContent(file, terminal)
  try {
    const run = await tool.load()
    const onNote = boundedNotes(({ message, position }) => {
      const place = position === null ? '' : `:${position.line}:${position.column}`
      void note(`${file ?? '-'}${place}: ${message}`)
    })
    await writeContent(terminal, run(source.open(), toolOptions(tool, values), onNote), values)
  } catch (error) {
    throw toolFailure(error, file ?? '-')
  } finally {
    await source.close()
  }
}

function sample(tool: ToolDescription): string {
  const given = Object.entries(tool.examples.find(({ options }) => options !== undefined)?.options ?? {})
  const flags = given
    .filter(([, value]) => typeof value === 'string')
    .map(([name, value]) => ` --${name.replaceAll('_', '-')} '${String(value)}'`)
  return `snipkeep tool ${tool.name} in.${tool.input.extension}${flags.join('')} > out.${tool.output.extension}`
}

/** A command for each tool. */
const toolCommands: readonly CommandSpec[] = tools.map((tool) => ({
  usage: `tool ${tool.name} [file]`,
  summary: tool.summary.replace(/\.$/, ''),
  options: { ...toolFlags([tool]), ...contentOptions },
  examples: [sample(tool)],
  run: (context, [file], values) => runTool(tool, file, values, context),
}))

const converting = converters.map(({ tool }) => tool)

/** The tool that makes one format of another. */
const convert: CommandSpec = {
  usage: 'convert <from> <to> [file]',
  summary: 'Convert a file or standard input, here and exactly',
  options: { ...toolFlags(converting), ...contentOptions },
  examples: [
    'snipkeep convert json csv rows.json --nested dots > rows.csv',
    'report | snipkeep convert csv json',
    'snipkeep convert json ts response.json --name Response > response.ts',
  ],
  async run(context, [from = '', to = '', file], values) {
    const tool = findConverter(from, to)
    if (tool === null) {
      const known = converters.map((way) => `${way.from} ${way.to}`).join(', ')
      throw usageError(`There is no way from ${from} to ${to}. There are: ${known}.`)
    }
    const flagsOf = (some: readonly ToolDescription[]): readonly string[] =>
      Object.keys(toolFlags(some)).map((flags) => flags.split(' ')[0] ?? '')
    const own = flagsOf([tool])
    const unused = flagsOf(converting).find((flag) => !own.includes(flag) && isGiven(flag, values))
    if (unused !== undefined) throw usageError(`${tool.name} has no ${unused}.`)
    await runTool(tool, file, values, context)
  },
}

/** Whether an option was given; those that turn something off are `true` until then. */
function isGiven(flag: string, values: OptionValues): boolean {
  const name = flag
    .replace(/^--(no-)?/, '')
    .replace(/-([a-z])/g, (_match, letter: string) => letter.toUpperCase())
  return flag.startsWith('--no-') ? values[name] === false : values[name] !== undefined
}

const toolColumns: readonly Column<Pick<ToolDescription, 'name' | 'summary'>>[] = [
  { head: 'TOOL', cell: ({ name }) => name, style: () => 'green' },
  { head: 'WHAT IT DOES', cell: ({ summary }) => summary, narrow: 'cut' },
]

/** The list of tools. */
const listTools: CommandSpec = {
  usage: 'tools',
  summary: 'List the tools that format and convert',
  examples: ['snipkeep tools', 'snipkeep tools --json=name,summary'],
  async run(context) {
    const rows = tools.map(({ name, title, summary }) => ({ name, title, summary }))
    await printList(context, { rows }, { columns: toolColumns, noun: 'tools' })
  },
}

export const commands: readonly CommandSpec[] = [convert, ...toolCommands, listTools]
