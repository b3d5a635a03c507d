/** Signs of Markdown; other text rarely has two of them. */
const signs = [
  /^#{1,6} \S/m,
  /^(?:```|~~~)[\w-]*$/m,
  /\[[^\]\n]{1,300}\]\((?:https?:\/\/|\/|#|\.|mailto:)[^)\s]{0,2000}\)/,
  /^\s{0,3}[-*+] \S[^\n]*\n\s{0,3}[-*+] \S/m,
  /^\s{0,3}1[.)] \S[^\n]*\n\s{0,3}2[.)] \S/m,
  /^\|?(?: *:?-{3,}:? *\|)+(?: *:?-{3,}:? *)?$/m,
  /(?:^|\s)(?:\*\*|__)[^\s*_][^*_\n]{0,300}(?:\*\*|__)/m,
  /(?:^|\s)`[^`\n]+`/m,
  /^> \S/m,
  /^\S[^\n]*\n(?:={3,}|-{3,})\s*$/m,
]

/** How lines of code and configuration begin or end, and lines of prose rarely do. */
const codeLine =
  /[;{}([]$|^[)\]}]+,?$|^[^\]]*\)[:,]?$|^(?:\/\/|\/\*|#!|@\w|"""|(?:import|export|from|def|class|return|const|let|var|function|if|for|elif|else|except|try|with|raise|assert|self)\b[^.]*$|[A-Z]{2,} [a-z/-]|#?\s?\$?[\w.]+\s*[-+:]?=)/

/** Whether a fifth of the lines are code, not counting code blocks in a text. */
function looksLikeCode(text: string): boolean {
  let [lines, code, isFenced] = [0, 0, false]
  for (const whole of text.split('\n')) {
    const line = whole.trim()
    if (/^(?:```|~~~)/.test(line)) isFenced = !isFenced
    // Lines that begin with `*` are a list or a comment; deeply indented lines are code in either.
    else if (line !== '' && !isFenced && !/^(?: {4}|\t|\s*\*)/.test(whole)) {
      lines += 1
      if (codeLine.test(line)) code += 1
    }
  }
  return code * 5 > lines
}

/** Whether a text is Markdown and not code: two signs of it, or a heading followed by text. */
export function looksLikeMarkdown(text: string): boolean {
  const head = text.replaceAll('\r\n', '\n').slice(0, 65_536)
  const found = signs.filter((sign) => sign.test(head)).length
  // Code has comments that begin with `#`, but not one heading and a blank line at its very beginning.
  const isMarked = found >= 2 || (found === 1 && /^\s*#{1,6} \S[^\n]*\n\s*\n\S/.test(head))
  return isMarked && !looksLikeCode(head)
}
