import ts from 'typescript'

/** The getters and setters of object literals inside functions, with their lines. */
export function literalGetters(text: string, path = 'source.ts'): readonly { line: number; name: string }[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const found: { line: number; name: string }[] = []
  const visit = (node: ts.Node, inFunction: boolean): void => {
    if (inFunction && ts.isAccessor(node) && ts.isObjectLiteralExpression(node.parent))
      found.push({
        line: source.getLineAndCharacterOfPosition(node.getStart()).line + 1,
        name: node.name.getText(),
      })
    ts.forEachChild(node, (child) => visit(child, inFunction || ts.isFunctionLike(node)))
  }
  visit(source, false)
  return found
}
