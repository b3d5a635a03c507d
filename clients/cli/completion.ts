import type { Command } from 'commander'
import type { CommandSpec } from './command.js'
import type { Context } from './context.js'

/** The script for each shell; all of them call `snipkeep __complete` with the words so far. */
export const completionScripts: Readonly<Record<string, string>> = {
  bash: `_snipkeep() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "$(snipkeep __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
COMP_WORDBREAKS=\${COMP_WORDBREAKS//@/}
complete -o default -F _snipkeep snipkeep
`,
  zsh: `#compdef snipkeep
_snipkeep() {
  local -a found
  found=("\${(@f)$(snipkeep __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  compadd -a found || _files
}
compdef _snipkeep snipkeep
`,
  fish: `function __snipkeep_complete
  set -l words (commandline -opc) (commandline -ct)
  snipkeep __complete -- $words[2..-1] 2>/dev/null
end
complete -c snipkeep -a '(__snipkeep_complete)'
`,
  powershell: `Register-ArgumentCompleter -Native -CommandName snipkeep -ScriptBlock {
  param($word, $ast, $position)
  $words = @($ast.CommandElements | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
  if ($word -eq '') { $words += '' }
  snipkeep __complete -- @words 2>$null | ForEach-Object { [System.Management.Automation.CompletionResult]::new($_) }
}
`,
}

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
