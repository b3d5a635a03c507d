export interface MetadataFact {
  readonly name: string
  readonly words: string
}

/** The metadata of an entry as pairs: strings as they are, other values as JSON. */
export function metadataFacts(metadata: Readonly<Record<string, unknown>> | null): readonly MetadataFact[] {
  return Object.entries(metadata ?? {}).map(([name, value]) => ({
    name,
    words: typeof value === 'string' ? value : JSON.stringify(value),
  }))
}
