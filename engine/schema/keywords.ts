/** What the value of a keyword must be. */
export type KeywordKind =
  | 'schema'
  | 'schemas'
  | 'schema-map'
  | 'string'
  | 'strings'
  | 'string-lists'
  | 'uri'
  | 'id'
  | 'anchor'
  | 'count'
  | 'number'
  | 'positive'
  | 'boolean'
  | 'types'
  | 'pattern'
  | 'array'
  | 'any'

/** The vocabularies of the draft that decide something; what the others have are notes. */
export type Vocabulary = 'core' | 'applicator' | 'unevaluated' | 'validation' | 'notes'

type Keywords = Readonly<Record<string, KeywordKind>>

const byVocabulary: Readonly<Record<Vocabulary, Keywords>> = {
  core: {
    $schema: 'uri',
    $id: 'id',
    $ref: 'uri',
    $dynamicRef: 'uri',
    $anchor: 'anchor',
    $dynamicAnchor: 'anchor',
    $vocabulary: 'any',
    $comment: 'string',
    $defs: 'schema-map',
  },
  applicator: {
    allOf: 'schemas',
    anyOf: 'schemas',
    oneOf: 'schemas',
    not: 'schema',
    if: 'schema',
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: 'schema',
    else: 'schema',
    dependentSchemas: 'schema-map',
    prefixItems: 'schemas',
    items: 'schema',
    contains: 'schema',
    properties: 'schema-map',
    patternProperties: 'schema-map',
    additionalProperties: 'schema',
    propertyNames: 'schema',
  },
  unevaluated: { unevaluatedItems: 'schema', unevaluatedProperties: 'schema' },
  validation: {
    type: 'types',
    enum: 'array',
    const: 'any',
    multipleOf: 'positive',
    maximum: 'number',
    exclusiveMaximum: 'number',
    minimum: 'number',
    exclusiveMinimum: 'number',
    maxLength: 'count',
    minLength: 'count',
    pattern: 'pattern',
    maxItems: 'count',
    minItems: 'count',
    uniqueItems: 'boolean',
    maxContains: 'count',
    minContains: 'count',
    maxProperties: 'count',
    minProperties: 'count',
    required: 'strings',
    dependentRequired: 'string-lists',
  },
  notes: {
    title: 'string',
    description: 'string',
    default: 'any',
    deprecated: 'boolean',
    readOnly: 'boolean',
    writeOnly: 'boolean',
    examples: 'array',
    format: 'string',
    contentEncoding: 'string',
    contentMediaType: 'string',
    contentSchema: 'schema',
  },
}

const kinds: ReadonlyMap<string, KeywordKind> = new Map(
  Object.values(byVocabulary).flatMap((keywords) => Object.entries(keywords)),
)

const vocabularies = new Map<string, Vocabulary>()
for (const vocabulary of ['core', 'applicator', 'unevaluated', 'validation', 'notes'] as const)
  for (const keyword of Object.keys(byVocabulary[vocabulary])) vocabularies.set(keyword, vocabulary)

/** What the value of a keyword must be; `undefined` for what is none. */
export function kindOf(keyword: string): KeywordKind | undefined {
  return kinds.get(keyword)
}

/** The vocabulary of a keyword; `undefined` for what is none. */
export function vocabularyOf(keyword: string): Vocabulary | undefined {
  return vocabularies.get(keyword)
}

const draft = 'https://json-schema.org/draft/2020-12'

/** The schema of schemas. */
export const metaschemaUri = `${draft}/schema`

const names: readonly (readonly [string, Vocabulary])[] = [
  ['core', 'core'],
  ['applicator', 'applicator'],
  ['unevaluated', 'unevaluated'],
  ['validation', 'validation'],
  ['meta-data', 'notes'],
  ['format-annotation', 'notes'],
  ['content', 'notes'],
]

/** The URI of each vocabulary of the draft. */
export const vocabularyUris: ReadonlyMap<string, Vocabulary> = new Map(
  names.map(([name, vocabulary]) => [`${draft}/vocab/${name}`, vocabulary]),
)

/** The schemas of schemas: the whole one (`null`), and that of each vocabulary. */
export const metaschemas: ReadonlyMap<string, Vocabulary | null> = new Map([
  [metaschemaUri, null],
  ...names.map(([name, vocabulary]) => [`${draft}/meta/${name}`, vocabulary] as const),
])
