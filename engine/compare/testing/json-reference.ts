/** A JSON value that keeps the spelling of numbers, and members in their order with repeated keys. */
export type Tree =
  | { readonly type: 'object'; readonly members: readonly (readonly [string, Tree])[] }
  | { readonly type: 'array'; readonly items: readonly Tree[] }
  | { readonly type: 'string'; readonly text: string }
  | { readonly type: 'word'; readonly text: string }

/** Reads valid JSON, by recursion and regular expressions: slow, and simple enough to be right. */
export function parseTree(text: string): Tree {
  let at = 0
  const take = (pattern: RegExp): string => {
    const found = new RegExp(pattern, 'y')
    found.lastIndex = at
    const token = found.exec(text)?.[0]
    if (token === undefined) throw new Error(`no ${pattern} at ${at} of ${text}`)
    at += token.length
    return token.trim()
  }
  const read = (): Tree => {
    take(/\s*/)
    if (text[at] === '"') return { type: 'string', text: JSON.parse(take(/"(?:[^"\\]|\\.)*"\s*/)) }
    if (text[at] !== '{' && text[at] !== '[') return { type: 'word', text: take(/[^\s,\]}]+\s*/) }
    const isObject = take(/[{[]\s*/) === '{'
    const members: [string, Tree][] = []
    while (!/[}\]]/.test(text[at] ?? '')) {
      const key: string = isObject ? JSON.parse(take(/"(?:[^"\\]|\\.)*"\s*/)) : ''
      if (isObject) take(/:\s*/)
      members.push([key, read()])
      if (text[at] === ',') take(/,\s*/)
    }
    take(/[}\]]\s*/)
    return isObject
      ? { type: 'object', members }
      : { type: 'array', items: members.map(([, value]) => value) }
  }
  return read()
}

/** Writes a value without white space; members by their keys, unless their order counts. */
export function minifiedTree(tree: Tree, order = false): string {
  if (tree.type === 'string') return JSON.stringify(tree.text)
  if (tree.type === 'word') return tree.text
  if (tree.type === 'array') return `[${tree.items.map((item) => minifiedTree(item, order)).join(',')}]`
  const members = order
    ? tree.members
    : [...tree.members].sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0))
  return `{${members.map(([key, value]) => `${JSON.stringify(key)}:${minifiedTree(value, order)}`).join(',')}}`
}

interface Operation {
  readonly op: string
  readonly steps: readonly string[]
  readonly value: Tree | null
}

function memberIn(tree: Tree, key: string): Tree | null {
  const members = tree.type === 'object' ? tree.members.filter(([name]) => name === key) : []
  if (members.length > 1) throw new Error(`a pointer into a repeated key: ${key}`)
  return members[0]?.[1] ?? null
}

function textIn(tree: Tree, key: string): string {
  const member = memberIn(tree, key)
  if (member?.type !== 'string') throw new Error(`no ${key} in an operation`)
  return member.text
}

function stepsOf(path: string): readonly string[] {
  return path
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function inObject(
  members: readonly (readonly [string, Tree])[],
  { op, value }: Operation,
  key: string,
): Tree {
  const exists = members.some(([name]) => name === key)
  if (op !== 'add' && !exists) throw new Error(`${op} of ${key}, which is not there`)
  if (op === 'remove') return { type: 'object', members: members.filter(([name]) => name !== key) }
  if (value === null) throw new Error('no value')
  if (!exists) return { type: 'object', members: [...members, [key, value]] }
  return { type: 'object', members: members.map(([name, old]) => [name, name === key ? value : old]) }
}

function inArray(items: readonly Tree[], { op, value }: Operation, step: string): Tree {
  const index = Number(step)
  const last = op === 'add' ? items.length : items.length - 1
  if (!/^(0|[1-9]\d*)$/.test(step) || index > last) throw new Error(`${op} at ${step} of ${items.length}`)
  if (op === 'remove') return { type: 'array', items: items.toSpliced(index, 1) }
  if (value === null) throw new Error('no value')
  return { type: 'array', items: items.toSpliced(index, op === 'add' ? 0 : 1, value) }
}

function applied(tree: Tree, operation: Operation, depth: number): Tree {
  const step = operation.steps[depth]
  if (step === undefined) {
    if (operation.op !== 'replace' || operation.value === null)
      throw new Error('only a replacement is of the root')
    return operation.value
  }
  const isLast = depth === operation.steps.length - 1
  if (tree.type === 'object') {
    if (isLast) return inObject(tree.members, operation, step)
    const child = memberIn(tree, step)
    if (child === null) throw new Error(`no member ${step}`)
    const value = applied(child, operation, depth + 1)
    return inObject(tree.members, { op: 'replace', steps: [], value }, step)
  }
  if (tree.type !== 'array') throw new Error(`a step into what has no children: ${step}`)
  if (isLast) return inArray(tree.items, operation, step)
  const child = tree.items[Number(step)]
  if (child === undefined) throw new Error(`no item ${step}`)
  return inArray(tree.items, { op: 'replace', steps: [], value: applied(child, operation, depth + 1) }, step)
}

/** Applies a JSON Patch (RFC 6902) of additions, removals and replacements, one operation after the other. */
export function applyPatch(tree: Tree, patch: string): Tree {
  const operations = parseTree(patch)
  if (operations.type !== 'array') throw new Error('a patch is an array')
  return operations.items.reduce((whole: Tree, item) => {
    const operation = {
      op: textIn(item, 'op'),
      steps: stepsOf(textIn(item, 'path')),
      value: memberIn(item, 'value'),
    }
    return applied(whole, operation, 0)
  }, tree)
}
