import ts from 'typescript'

/** A function, its line, and its own length. */
export interface FunctionLength {
  readonly name: string
  readonly line: number
  readonly ownLines: number
}

/** Whether this is the literal that a function returns, be it a table or the methods of a port. */
function isReturnedLiteral(node: ts.Node): boolean {
  if (!ts.isArrayLiteralExpression(node) && !ts.isObjectLiteralExpression(node)) return false
  const parent = ts.isParenthesizedExpression(node.parent) ? node.parent.parent : node.parent
  return ts.isReturnStatement(parent) || ts.isArrowFunction(parent)
}

/**
 * The length of every function in a source text. Lines of a nested function count only for that one, and a
 * returned literal does not count, so neither a factory of many methods nor a long table makes a long
 * function.
 */
export function functionLengths(text: string, path = 'source.ts'): readonly FunctionLength[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const lineOf = (position: number) => source.getLineAndCharacterOfPosition(position).line
  const lengths: FunctionLength[] = []

  /** Visits a node and returns the number of its lines that are not its function's own. */
  const visit = (node: ts.Node): number => {
    const lines = lineOf(node.getEnd()) - lineOf(node.getStart(source)) + 1
    let notOwn = 0
    ts.forEachChild(node, (child) => {
      notOwn += visit(child)
    })
    if (isReturnedLiteral(node)) return lines - 1
    if (!ts.isFunctionLike(node) || !('body' in node) || node.body === undefined) return notOwn
    const name = node.name?.getText(source) ?? 'a function'
    lengths.push({ name, line: lineOf(node.getStart(source)) + 1, ownLines: lines - notOwn })
    return lines - 1
  }

  visit(source)
  return lengths
}
