const key = /^(?:[\w.$/@-]+(?: [\w.$/@-]+)?|"[^"\n]*"|'[^'\n]*')\s*:(?:\s|$)/
const item = /^-(?:\s|$)/
const marker = /^(?:---|\.\.\.|%YAML)/

/** What prose never has: nested lists or maps, quotes, numbers, flags, blocks, anchors. */
const structured =
  /^(?:[^\s#][^\n]*:\s*(?:$|[|>][-+\d]*\s*$|[[{&*!'"]|[-+]?[\d.]|(?:true|false|null|yes|no|on|off|~)\s*$))/

/**
 * Whether a text may be YAML, and so is worth parsing: its top-level lines are keys or items, more than one,
 * and one of them holds something that prose does not.
 */
export function looksLikeYaml(text: string): boolean {
  let outer = 0
  let isStructured = false
  let rest = text.replace(/^\ufeff/, '')
  while (rest !== '') {
    const end = rest.indexOf('\n')
    const line = (end < 0 ? rest : rest.slice(0, end)).trimEnd()
    rest = end < 0 ? '' : rest.slice(end + 1)
    if (line === '' || /^\s*#/.test(line)) continue
    if (/^\s/.test(line)) {
      // Indented below a key or an item.
      if (/^\s+(?:- |[\w."'-]+:(?:\s|$))/.test(line)) isStructured = true
      continue
    }
    if (marker.test(line)) {
      isStructured = true
      continue
    }
    if (!key.test(line) && !item.test(line) && !/^[\]}]/.test(line)) return false
    outer += 1
    if (structured.test(line) || /^- [\w."'-]+:(?:\s|$)/.test(line)) isStructured = true
  }
  return isStructured && outer > 0 && (outer > 1 || text.trim().includes('\n'))
}
