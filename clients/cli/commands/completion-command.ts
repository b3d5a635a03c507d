import type { CommandSpec } from '../command.js'
import { usageError } from '../exit-codes.js'
import { write } from '../terminal.js'

/** The script for each shell; all of them call `snipkeep __complete` with the words so far. */
const scripts: Readonly<Record<string, string>> = {
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

const completion: CommandSpec = {
  usage: 'completion <shell>',
  summary: `Print the completion script of ${Object.keys(scripts).join(', ')}`,
  examples: [
    'source <(snipkeep completion bash)',
    'snipkeep completion fish > ~/.config/fish/completions/snipkeep.fish',
  ],
  async run({ terminal }, [shell = '']) {
    const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined
    if (script === undefined) throw usageError(`Choose one of ${Object.keys(scripts).join(', ')}.`)
    await write(terminal.stdout, script)
  },
}

export const commands = [completion]
