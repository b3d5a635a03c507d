import type { Command } from 'commander'
import type { CommandSpec } from './command.js'
import type { Context } from './context.js'

async function snippetNames(context: Context): Promise<readonly string[]> {
  const sk = await context.client()
  const { items } = await sk.snippets.list({ include_data: false, limit: 100 }).page()
  return items.flatMap(({ name }) => (name === undefined ? [] : [`@${name}`]))
}

/** Completions of the last word. */
export async function completions(
  program: Command,
  specs: readonly CommandSpec[],
  words: readonly string[],
  context: Context,
): Promise<readonly string[]> {
  const before = words.slice(0, -1)
  const last = words.at(-1) ?? ''
  let command = program
  const path: string[] = []
  for (const word of before) {
    const next = command.commands.find((one) => one.name() === word)
    if (next === undefined) continue
    command = next
    path.push(word)
  }
  const offered = last.startsWith('-')
    ? command.options.flatMap(({ long, hidden }) =>
        long === undefined || long === null || hidden ? [] : [long],
      )
    : command.commands.map((one) => one.name()).filter((name) => !name.startsWith('__'))
  const spec = specs.find(({ usage }) => usage.startsWith(`${path.join(' ')} `))
  // The shell is waiting, so an unreachable server only means no names.
  const names =
    path.length > 0 && spec?.takesSnippets === true && !last.startsWith('-')
      ? await snippetNames(context).catch(() => [])
      : []
  return [...offered, ...names].filter((word) => word.startsWith(last))
}
