/** What to copy of a block of code: of a session in a terminal only the commands, without prompts and output. */
export function copiedCode(code: string, isSession: boolean): string {
  if (!isSession) return code.replace(/\n$/, '')
  const commands: string[] = []
  let goesOn = false
  for (const line of code.split('\n')) {
    const isCommand = line.startsWith('$ ')
    if (isCommand || goesOn) commands.push(isCommand ? line.slice(2) : line)
    goesOn = (isCommand || goesOn) && line.endsWith('\\')
  }
  return commands.join('\n')
}
