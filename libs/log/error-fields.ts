/** The fields of an error in a log line. */
export interface ErrorFields {
  readonly type: string
  readonly message: string
  readonly stack: string
  readonly cause?: ErrorFields
  readonly errors?: readonly ErrorFields[]
  readonly [detail: string]: unknown
}

/** Names and codes only: drivers put rows, parameters, headers and responses beside these. */
const keptFields = [
  'code',
  'kind',
  'constraint',
  'schema',
  'table',
  'column',
  'routine',
  'syscall',
  'status',
  'requestId',
]
const causesMax = 5
const errorsMax = 3

function memberOf(error: Error, name: string): unknown {
  return Reflect.get(error, name)
}

/**
 * Whether the message itself may quote user input: a parser quotes the text that it cannot read, Postgres the value
 * that it rejects (SQLSTATE class 22), the payment provider the field that it rejects.
 */
function mayQuote(error: Error): boolean {
  const code = memberOf(error, 'code')
  const ofPostgres = typeof memberOf(error, 'severity') === 'string'
  return (
    error instanceof SyntaxError ||
    (ofPostgres && typeof code === 'string' && code.startsWith('22')) ||
    /^Stripe\w*Error$/.test(error.constructor.name)
  )
}

function placesOf(stack: string): string {
  return stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n')
}

function fieldsOf(error: unknown, depth: number): ErrorFields {
  if (!(error instanceof Error)) return { type: typeof error, message: 'not an error', stack: '' }
  const type = error.constructor.name
  const message = mayQuote(error) ? '[withheld]' : error.message
  const details = keptFields.flatMap((name) => {
    const value = memberOf(error, name)
    return typeof value === 'string' || typeof value === 'number' ? [[name, value]] : []
  })
  const goesOn = depth < causesMax
  const errors = error instanceof AggregateError && goesOn ? error.errors.slice(0, errorsMax) : []
  return {
    type,
    message,
    stack: `${type}: ${message}\n${placesOf(error.stack ?? '')}`,
    ...Object.fromEntries(details),
    ...(error.cause !== undefined && goesOn ? { cause: fieldsOf(error.cause, depth + 1) } : {}),
    ...(errors.length > 0 ? { errors: errors.map((one) => fieldsOf(one, depth + 1)) } : {}),
  }
}

/** An error for the log: its origin and name, without anything from a request. */
export function errorFields(error: unknown): ErrorFields {
  return fieldsOf(error, 0)
}
