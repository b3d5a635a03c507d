import type { CommandSpec } from './command.js'

/** Commands that are loaded together, and only if one of them is used, so that each starts soon. */
export interface CommandPart {
  /** Above them in --help. */
  readonly heading:
    | 'Snippets:'
    | 'Contracts:'
    | 'Shares:'
    | 'Tools:'
    | 'Account:'
    | 'Administration:'
    | 'More:'
  /** Their first words. */
  readonly words: readonly string[]
  /** What a first word is about that only leads to others, by how many these are. */
  readonly about?: (count: number) => string
  load(): Promise<{ readonly commands: readonly CommandSpec[] }>
}

/** Every command, in the order of --help. To add one, add it to `commands` of its module, and its first word here. */
export const commandTable: readonly CommandPart[] = [
  { heading: 'Snippets:', words: ['save'], load: () => import('./commands/save-command.js') },
  { heading: 'Snippets:', words: ['get'], load: () => import('./commands/get-command.js') },
  {
    heading: 'Snippets:',
    words: ['list', 'revisions', 'restore', 'rm'],
    load: () => import('./commands/snippet-commands.js'),
  },
  { heading: 'Snippets:', words: ['diff'], load: () => import('./commands/diff-command.js') },
  { heading: 'Contracts:', words: ['check'], load: () => import('./commands/check-command.js') },
  {
    heading: 'Contracts:',
    words: ['contract', 'approve', 'reject'],
    about: () => 'Show, set and remove the rules for new versions of a snippet',
    load: () => import('./commands/contract-commands.js'),
  },
  { heading: 'Snippets:', words: ['export', 'import'], load: () => import('./commands/archive-commands.js') },
  { heading: 'Shares:', words: ['share'], load: () => import('./commands/share-command.js') },
  {
    heading: 'Tools:',
    words: ['convert', 'tool', 'tools'],
    about: (count) => `Format, check and convert on this machine: ${count} tools`,
    load: () => import('./commands/tool-commands.js'),
  },
  {
    heading: 'Account:',
    words: ['login', 'logout', 'whoami', 'account'],
    about: () => 'Close your account, or open it again',
    load: () => import('./commands/account-commands.js'),
  },
  { heading: 'Account:', words: ['doctor'], load: () => import('./commands/doctor-command.js') },
  {
    heading: 'Account:',
    words: ['key'],
    about: () => 'Create, list, rotate and delete API keys',
    load: () => import('./commands/key-commands.js'),
  },
  {
    heading: 'Account:',
    words: ['trust'],
    about: () => 'Let CI jobs call for you without a key',
    load: () => import('./commands/trust-commands.js'),
  },
  {
    heading: 'Account:',
    words: ['history'],
    about: () => 'List or delete your history',
    load: () => import('./commands/history-commands.js'),
  },
  {
    heading: 'Administration:',
    words: ['operator'],
    about: () => 'Handle reports, shares, accounts and queues, as an operator',
    load: () => import('./commands/operator-commands.js'),
  },
  { heading: 'More:', words: ['api'], load: () => import('./commands/api-command.js') },
  { heading: 'More:', words: ['mcp'], load: () => import('./commands/mcp-command.js') },
  { heading: 'More:', words: ['completion'], load: () => import('./commands/completion-command.js') },
]

/** The parts of the program that this command line needs: the one of its command, or all to tell them apart. */
export function partsFor(args: readonly string[]): readonly CommandPart[] {
  const [first = '', ...rest] = args
  if (first === '__complete') {
    const words = rest[0] === '--' ? rest.slice(1) : rest
    return words.length > 1 ? partsFor(words) : commandTable
  }
  const part = commandTable.find(({ words }) => words.includes(first))
  return part === undefined ? commandTable : [part]
}
