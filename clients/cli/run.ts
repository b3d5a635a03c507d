import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { ProblemError } from '../sdk/problem-error.js'
import type { CommandSpec } from './command.js'
import { commandTable } from './command-table.js'
import { completions } from './completion.js'
import { type CommonOptions, createContext } from './context.js'
import { CliExit, describeError, type ExitCode, exitCodeOf, exitCodes } from './exit-codes.js'
import { hasColors, printable, printableLines, type Terminal, write } from './terminal.js'

function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value]
}

/** Takes one value: which of two is meant would be a guess. */
function once(): (value: string) => string {
  let isGiven = false
  return (value) => {
    if (isGiven) throw new InvalidArgumentError('It may be given only once.')
    isGiven = true
    return value
  }
}

/** An option of a command. One without a value may be repeated. */
function addOption(command: Command, flags: string, description: string): void {
  if (flags.endsWith('...')) command.option(flags.slice(0, -3), description, collect)
  else if (flags.includes('<')) command.option(flags, description, once())
  else command.option(flags, description)
}

function addCommonOptions(command: Command): void {
  command
    .option('--server <url>', 'the server (default: that of the profile)', once())
    .option('--profile <name>', 'the stored credentials to use', once(), 'default')
    .option('--json', 'print JSON; --json=FIELDS prints only these comma-separated fields')
    .addOption(new Option('--json-fields <fields>').hideHelp())
    .option('--quiet', 'print only results and errors')
    .option('--no-progress', 'show no progress bar')
    .option('--no-retry', 'try once')
}

/** The command named by these words; leading words only group. */
function commandAt(program: Command, words: readonly string[]): Command {
  let parent = program
  for (const word of words) {
    const found = parent.commands.find((one) => one.name() === word)
    const inherited = parent
    parent = found ?? parent.command(word)
    if (found === undefined)
      parent.copyInheritedSettings(inherited).summary(`Its commands are in snipkeep ${word} --help`)
  }
  return parent
}

function addCommand(program: Command, spec: CommandSpec, terminal: Terminal): void {
  const words = spec.usage.split(' ')
  const first = words.findIndex((word) => /^[<[]/.test(word))
  const names = first === -1 ? words : words.slice(0, first)
  const command = commandAt(program, names).summary(spec.summary).description(`${spec.summary}.`)
  if (first !== -1) command.arguments(words.slice(first).join(' '))
  for (const [flags, description] of Object.entries(spec.options ?? {}))
    addOption(command, flags, description)
  addCommonOptions(command)
  command.addHelpText('after', `\nExamples:\n${spec.examples.map((line) => `  $ ${line}\n`).join('')}`)
  command.action(async () => {
    const options = command.opts()
    const context = createContext(terminal, options as CommonOptions)
    await spec.run(context, command.args, options)
  })
}

function createProgram(terminal: Terminal): Command {
  const program = new Command('snipkeep')
    .description('Save outputs as snippets, fetch them from anywhere, share them with a link.')
    .version(terminal.version)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.stdout.write(text),
      writeErr: (text) => terminal.stderr.write(text),
    })
    .showHelpAfterError('Run snipkeep --help for all commands.')
  for (const spec of commandTable) addCommand(program, spec, terminal)
  program.addHelpText(
    'after',
    '\nExamples:\n  $ snipkeep login --server https://snipkeep.example\n  $ snipkeep share out.csv\n',
  )
  program.command('__complete [words...]', { hidden: true }).action(async (words: readonly string[]) => {
    const context = createContext(terminal, {
      profile: 'default',
      quiet: true,
      progress: false,
      retry: false,
    })
    const found = await completions(program, commandTable, words, context)
    await write(terminal.stdout, found.map((word) => `${printable(word)}\n`).join(''))
  })
  return program
}

/** `--json=a,b` names fields; in `--json x`, x is an argument. */
function withJsonFields(args: readonly string[]): readonly string[] {
  const end = args.includes('--') ? args.indexOf('--') : args.length
  return args.flatMap((arg, index) => {
    const fields = index < end ? /^--json=(.*)$/.exec(arg)?.[1] : undefined
    return fields === undefined ? [arg] : ['--json', '--json-fields', fields]
  })
}

async function report(error: unknown, terminal: Terminal, isJson: boolean): Promise<ExitCode> {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage
  if (terminal.signal.aborted) return exitCodes.interrupted
  if (error instanceof CliExit) return error.exitCode
  if (isJson && error instanceof ProblemError) {
    const { stderr } = terminal
    await write(stderr, `${stderr.isTTY === true ? printableLines(error.body) : error.body}\n`)
    return exitCodeOf(error)
  }
  const text = describeError(error)
  const label = hasColors(terminal) ? '\u001b[31mError:\u001b[39m' : 'Error:'
  await write(terminal.stderr, `${label} ${printableLines(text)}\n`)
  return exitCodeOf(error)
}

/** Runs one command line and resolves with its exit code once all output is written. */
export async function run(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  try {
    if (args.length === 0) createProgram(terminal).outputHelp()
    else await createProgram(terminal).parseAsync(withJsonFields(args), { from: 'user' })
    return exitCodes.ok
  } catch (error) {
    return report(
      error,
      terminal,
      args.some((arg) => arg.startsWith('--json')),
    )
  }
}
