import type { Operation } from '../../http/operation.js'
import { tagsOf } from './tags.js'

type Json = Record<string, unknown>

/** An operation as the OpenAPI document describes it. */
interface DescribedOperation {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema?: BodySchema }>> }
}

interface BodySchema {
  readonly $ref?: string
  readonly properties?: Json
  readonly required?: readonly string[]
}

/** The OpenAPI document, as far as the summary reads it. */
interface SummarizedDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, BodySchema>> }
}

const needs: Readonly<Record<Operation['access'], string>> = {
  public: '',
  account: ' (token or key)',
  'identity-token': ' (token)',
  operator: ' (token of an operator)',
}

function bodyOf({ requestBody }: DescribedOperation, { components }: SummarizedDocument): string {
  const schema = requestBody?.content['application/json']?.schema
  const found = schema?.$ref === undefined ? schema : components.schemas[schema.$ref.split('/').at(-1) ?? '']
  const required = new Set(found?.required)
  const names = Object.keys(found?.properties ?? {}).map((name) => (required.has(name) ? `${name}*` : name))
  return names.length === 0 ? '' : ` Body: ${names.join(', ')}.`
}

function queryOf({ parameters = [] }: DescribedOperation): string {
  const names = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name)
  return names.length === 0 ? '' : ` Query: ${names.join(', ')}.`
}

function lineOf({ method, path, access, summary }: Operation, document: SummarizedDocument): string {
  const described = document.paths[path]?.[method] ?? {}
  const details = `${queryOf(described)}${bodyOf(described, document)}`
  return `- ${method.toUpperCase()} ${path}${needs[access]}: ${summary}.${details}`
}

/** The API on one page of Markdown, for language models (llmstxt.org); generated like the OpenAPI document. */
export function apiSummary(
  operations: readonly Operation[],
  { paths, components }: Json,
  publicBaseUrl: string,
): string {
  const document = { paths, components } as SummarizedDocument
  const groups = tagsOf(operations.map(({ group }) => group)).map(({ name, description }) => {
    const members = operations.filter(({ group }) => group === name)
    return `## ${name}\n\n${description}\n\n${members.map((one) => lineOf(one, document)).join('\n')}\n`
  })
  return `# Snipkeep

> Save the output of formatting tools, fetch it from anywhere, share it by a link, compare and convert it exactly: JSON, CSV and text.

All paths begin at ${publicBaseUrl}. Send JSON, or a file as it is (\`curl -T out.csv "${publicBaseUrl}/api/shares?tool=csv"\`). \`data\` is a JSON object that is stored and returned byte for byte; \`/raw?pointer=/csv\` returns one value of it as it is. Errors are \`application/problem+json\` with a stable \`code\` and a \`detail\` that says what to do; after a 429, wait for \`Retry-After\`. Retry creates with the same \`Idempotency-Key\`.

"token or key" below means \`Authorization: Bearer TOKEN\` with an ID token of the sign-in, or \`X-API-Key: KEY\`; "token" means the first alone. Fields with * are required.

- [OpenAPI document](${publicBaseUrl}/api/openapi.json): every schema, parameter, response and error
- [API reference](${publicBaseUrl}/api/docs): the same for people

${groups.join('\n')}`
}
