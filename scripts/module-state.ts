import ts from 'typescript'

/** Modules whose variables share nothing between two gateways, and why. */
export const allowedModuleState: Readonly<Record<string, string>> = {
  'gateway/body/json-scanner.ts':
    'scratch memory of WebAssembly, in which nothing lasts from one call to the next',
  'libs/grpc/zero-copy/bytes-field.ts': 'a WeakSet: the state of each buffer',
  'libs/postgres/copy/reusable-read-buffer.ts': 'a WeakMap: the state of each socket',
}

/** Values that can change after creation. A `ReadonlySet` or `ReadonlyMap` cannot, by its type. */
const changeable =
  /^(Map|Set|WeakMap|WeakSet|WeakRef|Array|DataView|\w*Array|\w*Buffer|LRUCache|AbortController|AsyncLocalStorage|EventEmitter|WebAssembly\.Instance)$/
const readonlyType = /^(readonly |Readonly\w*<)/
/** Our functions with these prefixes return something with its own state. */
const factory = /^create[A-Z]/

/** The expression without type annotations and property access. */
function bare(expression: ts.Expression): ts.Expression {
  if (
    ts.isAsExpression(expression) ||
    ts.isSatisfiesExpression(expression) ||
    ts.isAwaitExpression(expression)
  )
    return bare(expression.expression)
  return ts.isPropertyAccessExpression(expression) && ts.isNewExpression(expression.expression)
    ? expression.expression
    : expression
}

function isState(initializer: ts.Expression): boolean {
  const made = bare(initializer)
  if (ts.isNewExpression(made)) return changeable.test(made.expression.getText())
  if (ts.isCallExpression(made)) return factory.test(made.expression.getText())
  if (ts.isArrayLiteralExpression(made)) return made.elements.length === 0
  return ts.isObjectLiteralExpression(made) && made.properties.length === 0
}

/** The top-level variables of a module that may change while it runs, with their lines. */
export function moduleState(text: string, path = 'source.ts'): readonly { line: number; name: string }[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  return source.statements.filter(ts.isVariableStatement).flatMap(({ declarationList }) => {
    const isConstant = (declarationList.flags & ts.NodeFlags.Const) !== 0
    return declarationList.declarations
      .filter(({ initializer, type }) => {
        if (!isConstant) return true
        return initializer !== undefined && !readonlyType.test(type?.getText() ?? '') && isState(initializer)
      })
      .map((one) => ({
        line: source.getLineAndCharacterOfPosition(one.getStart()).line + 1,
        name: one.name.getText(),
      }))
  })
}
