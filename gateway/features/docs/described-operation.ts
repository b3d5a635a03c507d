import { type Html, html } from '#libs/html/html.js'
import type { Operation } from '../../http/operation.js'
import { curlExample } from './curl-example.js'
import { code, describedFields, describedItem, prose, typeWords } from './describe-schema.js'

type Json = Record<string, unknown>

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: Json }>>
}

interface DescribedResponse extends Content {
  readonly description: string
  readonly headers?: Readonly<Record<string, Json>>
}

const needs: Readonly<Record<Operation['access'], string>> = {
  public: 'no credentials',
  account: 'an identity token or an API key',
  'identity-token': 'an identity token',
  operator: 'the identity token of an operator',
}

/** A list of descriptions below a heading; nothing if it is empty. */
function section(title: string, items: readonly Html[]): Html {
  return items.length === 0 ? html`` : html`<h4>${title}</h4>\n<dl class="api-list">\n${items}</dl>\n`
}

function parametersOf(described: Json): readonly Html[] {
  return (described.parameters as readonly Json[]).map(({ name, in: place, required, schema, description }) =>
    describedItem(
      String(name),
      [
        html`${place === 'query' ? '' : `${place}, `}${typeWords(schema as Json)}`,
        ...(required === true ? [html`required`] : []),
      ],
      description,
    ),
  )
}

/** The body in each of its media types: the fields of an object, or what it is. */
function bodiesOf(described: Json, schemas: Readonly<Record<string, Json>>): Html {
  const { content = {} } = (described.requestBody ?? {}) as Content
  const sections = Object.entries(content).map(([type, { schema = {} }]) => {
    const named = schemas[String(schema.$ref).split('/').at(-1) ?? '']
    const fields = describedFields(named ?? schema)
    return fields.length === 0
      ? section(`Body: ${type}`, [describedItem(String(schema.type), [], schema.description)])
      : section(`Body: ${type}`, fields)
  })
  return html`${sections}`
}

function isRefusal({ content = {} }: DescribedResponse): boolean {
  return Object.keys(content).join() === 'application/problem+json'
}

function responseItems(
  status: string,
  { description, content = {}, headers = {} }: DescribedResponse,
): readonly Html[] {
  const schemas = Object.entries(content)
  const bodies = schemas.map(([type, { schema = {} }]) =>
    Object.keys(schema).length === 0 ? html`${type}` : html`${type}: ${typeWords(schema)}`,
  )
  const lines = Object.entries(headers).map(
    ([name, header]) => html`${code(name)}: ${prose(String(header.description))}`,
  )
  const fields = schemas.flatMap(([_type, { schema = {} }]) => describedFields(schema))
  return [describedItem(status, bodies, description, lines), ...fields]
}

function responsesOf(described: Json): Html {
  const all = Object.entries(described.responses as Readonly<Record<string, DescribedResponse>>)
  const refusals = all.filter(([_status, response]) => isRefusal(response))
  const others = all.filter(([_status, response]) => !isRefusal(response))
  const words = refusals.map(([status, { description }]) => `${status} ${description}`).join(', ')
  return html`${section(
    'Responses',
    others.flatMap(([status, response]) => responseItems(status, response)),
  )}<p class="api-errors">Errors, each a <a href="#schema-Problem">Problem</a>: ${words}.</p>\n`
}

/** An operation with its example, parameters, bodies and responses. */
export function describedOperation(operation: Operation, document: Json): Html {
  const { operationId, method, path, access, summary, description } = operation
  const { paths, components } = document as {
    paths: Readonly<Record<string, Readonly<Record<string, Json>>>>
    components: { schemas: Readonly<Record<string, Json>> }
  }
  const described = paths[path]?.[method] ?? {}
  const example = curlExample(operation, document, described)
  const block =
    example === null ? html`` : html`<div class="docs-code"><pre><code>${example}</code></pre></div>\n`
  const about = description === undefined ? html`` : html`<p>${prose(description)}</p>\n`
  return html`<section class="api-operation" aria-labelledby="${operationId}">
<h3 id="${operationId}"><a href="#${operationId}">${prose(summary)}</a></h3>
<p class="api-path"><code><strong>${method.toUpperCase()}</strong> ${path}</code> <span>needs ${needs[access]}</span></p>
${about}${block}${section('Parameters', parametersOf(described))}${bodiesOf(described, components.schemas)}${responsesOf(described)}</section>
`
}
