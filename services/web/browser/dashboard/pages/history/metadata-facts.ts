/** A detail of an entry in words. */
export interface MetadataFact {
  readonly name: string
  readonly words: string
}

/** The metadata of an entry as plain pairs: a text as itself, everything else as JSON. */
export function metadataFacts(metadata: Readonly<Record<string, unknown>> | null): readonly MetadataFact[] {
  return Object.entries(metadata ?? {}).map(([name, value]) => ({
    name,
    words: typeof value === 'string' ? value : JSON.stringify(value),
  }))
}
