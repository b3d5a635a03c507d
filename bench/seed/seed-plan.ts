/** An owner in the seeded database, and its number of snippets. */
export interface SeededOwner {
  readonly id: string
  /** Its subject at the issuer. */
  readonly subject: string
}

/** Owns almost everything. */
export const many: SeededOwner = { id: 'OwnerOfManySnippets000', subject: 'many' }
/** Owns a thousand of everything. */
export const few: SeededOwner = { id: 'OwnerOfFewSnippets0000', subject: 'few' }
/** So that the database's statistics know more than two owners. */
export const otherOwners = 200

/** The size of the seeded data. */
export interface SeedSize {
  /** Snippets of the owner of many. */
  readonly snippets: number
  readonly shares: number
  readonly entries: number
  /** Of snippets, shares and entries each. */
  readonly few: number
}

/** Other owners have a hundredth as many rows as the owner of many. */
export const othersEvery = 101

/**
 * The size for this number of snippets; the rest is in the proportion of 2,000,000 to 200,000 to 5,000,000.
 */
export function seedSize(snippets: number): SeedSize {
  return { snippets, shares: Math.round(snippets / 10), entries: Math.round(snippets * 2.5), few: 1_000 }
}

/** Every 20,000th snippet and entry is of this tool. */
export const rareTool = { name: 'seldom-used', every: 20_000 }
/** Three in ten are of this tool. */
export const commonTool = 'json-to-csv'
/** Every 100,000th snippet has this tag. */
export const rareTag = { name: 'needle', every: 100_000 }
/** One in five snippets has this tag. */
export const commonTag = 'work'

/** One in five of the oldest tenth has this tag, and no others: none is near the newest. */
export const oldTag = { name: 'legacy', part: 0.1 }

/** A tag that one in a thousand snippets has. */
export function teamTag(team: number): string {
  return `team${team}`
}

/** How many of those tags there are. */
export const teams = 1_000

/** Every other share of the older half had this lifetime, has expired, and was purged. */
export const expired = { part: 0.5, afterMs: 30 * 86_400_000 }

/** Bytes of `data` in every seeded snippet and share. */
export const dataBytes = 1_024

const syllables = 'ka lo mi ne ru sta ven dor pil tas bo cher du fa gri hal jon kel lum mor'.split(' ')

/** The words of titles, the most frequent first. */
export const vocabulary: readonly string[] = syllables.flatMap((first) =>
  syllables.flatMap((second) => syllables.slice(0, 5).map((third) => first + second + third)),
)

/** The database that is seeded. */
export const databaseName = 'scale'

/** The data folder of the seeded server. */
export function seededDataDir(snippets: number): string {
  return `bench/.data/scale-${snippets}`
}

/** The default number of snippets of the owner of many. */
export const usualSnippets = 2_000_000
