import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { ProblemError } from '../sdk/problem-error.js'
import type { CommandSpec } from './command.js'
import { type CommandPart, partsFor } from './command-table.js'
import { type CommonOptions, createContext } from './context.js'
import { CliExit, describeError, type ExitCode, exitCodeOf, exitCodes } from './exit-codes.js'
import { hasColors, printable, printableLines, styled, type Terminal, write } from './terminal.js'

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

/** A part of the program with its commands. */
interface LoadedPart extends CommandPart {
  readonly commands: readonly CommandSpec[]
}

const helpSummary = 'Print the help of a command'

/** The command named by these words; a leading word only leads to others. */
function commandAt(
  program: Command,
  { heading, about, commands }: LoadedPart,
  [first = '', ...rest]: readonly string[],
): Command {
  const isLeading = rest.length > 0
  const found = program.commands.find((one) => one.name() === first)
  const command = found ?? program.command(first).helpGroup(heading)
  if (!isLeading) return command
  const text = about?.(commands.filter(({ usage }) => usage.startsWith(`${first} `)).length) ?? ''
  command.summary(text).description(`${text}.`).helpCommand('help [command]', helpSummary)
  return command.command(rest.join(' '))
}

function addCommand(program: Command, part: LoadedPart, spec: CommandSpec, terminal: Terminal): void {
  const words = spec.usage.split(' ')
  const first = words.findIndex((word) => /^[<[]/.test(word))
  const names = first === -1 ? words : words.slice(0, first)
  const command = commandAt(program, part, names)
  command.summary(spec.summary).description(`${spec.summary}.`)
  if (first !== -1) command.arguments(words.slice(first).join(' '))
  for (const [flags, description] of Object.entries(spec.options ?? {}))
    addOption(command, flags, description)
  command.optionsGroup('Common options:')
  addCommonOptions(command)
  addExamples(command, spec.examples, terminal)
  command.action(async () => {
    const options = command.opts()
    const context = createContext(terminal, options as CommonOptions)
    try {
      await spec.run(context, command.args, options)
    } catch (error) {
      throw await context.explained(error)
    }
  })
}

function addExamples(command: Command, examples: readonly string[], terminal: Terminal): void {
  const lines = examples.map((line) => `  $ ${line}\n`)
  command.addHelpText(
    'after',
    `\n${styled(terminal, 'bold', 'Examples:', terminal.stdout)}\n${lines.join('')}`,
  )
}

/** `Error:`, as every error begins. */
function errorLabel(terminal: Terminal): string {
  return styled(terminal, 'red', 'Error:')
}

function createProgram(terminal: Terminal, parts: readonly LoadedPart[]): Command {
  const { stdout, stderr } = terminal
  const program = new Command('snipkeep')
    .description('Save outputs as snippets, fetch them from anywhere, share them with a link.')
    .version(terminal.version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .exitOverride()
    .configureHelp({
      styleTitle: (title) => styled(terminal, 'bold', title, stdout),
      subcommandTerm: (command) => `${command.name()} ${command.usage().replace('[options]', '')}`,
    })
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      outputError: (text, writeError) => writeError(text.replace(/^error:/, errorLabel(terminal))),
      getOutHelpWidth: () => (stdout.isTTY === true ? (stdout.columns ?? 80) : 80),
      getOutHasColors: () => hasColors(terminal, stdout),
    })
    .showHelpAfterError('Run snipkeep --help for all commands.')
  for (const part of parts) for (const spec of part.commands) addCommand(program, part, spec, terminal)
  program.addHelpCommand(
    new Command('help').argument('[command]').helpGroup('More:').description(helpSummary),
  )
  addExamples(
    program,
    ['snipkeep login --server https://snipkeep.example', 'snipkeep share out.csv'],
    terminal,
  )
  program.command('__complete [words...]', { hidden: true }).action(async (words: readonly string[]) => {
    const context = createContext(terminal, {
      profile: 'default',
      quiet: true,
      progress: false,
      retry: false,
    })
    const { completions } = await import('./completion.js')
    const specs = parts.flatMap(({ commands }) => commands)
    const found = await completions(program, specs, words, context)
    await write(terminal.stdout, found.map((word) => `${printable(word)}\n`).join(''))
  })
  return program
}

async function programFor(args: readonly string[], terminal: Terminal): Promise<Command> {
  const parts = await Promise.all(
    partsFor(args).map(async (part) => ({ ...part, commands: (await part.load()).commands })),
  )
  return createProgram(terminal, parts)
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
  await write(terminal.stderr, `${errorLabel(terminal)} ${printableLines(text)}\n`)
  return exitCodeOf(error)
}

/** Runs one command line and resolves with its exit code once all output is written. */
export async function run(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  try {
    const program = await programFor(args, terminal)
    if (args.length === 0) program.outputHelp()
    else await program.parseAsync(withJsonFields(args), { from: 'user' })
    return exitCodes.ok
  } catch (error) {
    return report(
      error,
      terminal,
      args.some((arg) => arg.startsWith('--json')),
    )
  }
}
