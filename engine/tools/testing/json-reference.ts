// What the JSON tools do, said again in the plainest way: on a list of tokens, without regard to speed.

/** A value by its tokens. */
export type Spelled =
  | { readonly kind: 'leaf'; readonly token: string }
  | { readonly kind: 'array'; readonly items: readonly Spelled[] }
  | { readonly kind: 'object'; readonly members: readonly (readonly [key: string, value: Spelled])[] }

/** The tokens of valid JSON, each as it is spelled. */
export function tokensOf(text: string): readonly string[] {
  return text.match(/"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/gs) ?? []
}

/** The value that these tokens spell. */
export function spelledValue(text: string): Spelled {
  const tokens = tokensOf(text)
  let at = 0
  function value(): Spelled {
    const token = tokens[at++] ?? ''
    if (token !== '[' && token !== '{') return { kind: 'leaf', token }
    const close = token === '[' ? ']' : '}'
    const members: [string, Spelled][] = []
    while (tokens[at] !== close) {
      if (tokens[at] === ',') at += 1
      let key = ''
      if (close === '}') {
        key = tokens[at] ?? ''
        at += 2
      }
      members.push([key, value()])
    }
    at += 1
    return close === '}'
      ? { kind: 'object', members }
      : { kind: 'array', items: members.map(([, item]) => item) }
  }
  return value()
}

/** Writes a value with this indentation, or on one line without. */
export function writtenValue(value: Spelled, indent: string, before = ''): string {
  if (value.kind === 'leaf') return value.token
  const inner = before + indent
  const colon = indent === '' ? ':' : ': '
  const parts =
    value.kind === 'array'
      ? value.items.map((item) => writtenValue(item, indent, inner))
      : value.members.map(([key, member]) => key + colon + writtenValue(member, indent, inner))
  const [open, close] = value.kind === 'array' ? ['[', ']'] : ['{', '}']
  if (parts.length === 0) return open + close
  if (indent === '') return open + parts.join(',') + close
  return `${open}\n${inner}${parts.join(`,\n${inner}`)}\n${before}${close}`
}

function byCodePoints(one: string, other: string): number {
  const [a, b] = [one, other].map((text) => [...text].map((character) => character.codePointAt(0) ?? 0)) as [
    number[],
    number[],
  ]
  for (let at = 0; at < Math.min(a.length, b.length); at += 1)
    if (a[at] !== b[at]) return (a[at] ?? 0) - (b[at] ?? 0)
  return a.length - b.length
}

/** The value with the members of all objects in the order of their keys. */
export function sortedValue(value: Spelled): Spelled {
  if (value.kind === 'leaf') return value
  if (value.kind === 'array') return { kind: 'array', items: value.items.map(sortedValue) }
  const members = value.members.map(([key, member]) => [key, sortedValue(member)] as const)
  return {
    kind: 'object',
    members: members.toSorted(([one], [other]) =>
      byCodePoints(String(JSON.parse(one)), String(JSON.parse(other))),
    ),
  }
}
