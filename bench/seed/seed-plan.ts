/** An owner in the seeded database, and how many snippets it has. */
export interface SeededOwner {
  readonly id: string
  /** What the issuer calls it. */
  readonly subject: string
}

/** Has almost everything. */
export const many: SeededOwner = { id: 'OwnerOfManySnippets000', subject: 'many' }
/** Has a thousand of everything. */
export const few: SeededOwner = { id: 'OwnerOfFewSnippets0000', subject: 'few' }
/** So that statistics of the database know more than two owners. */
export const otherOwners = 200

/** How much is seeded. */
export interface SeedSize {
  /** Snippets of the owner of many. */
  readonly snippets: number
  readonly shares: number
  readonly entries: number
  /** Of each of the three that the owner of few has. */
  readonly few: number
}

/** A hundredth as many rows as the owner of many has belong to others. */
export const othersEvery = 101

/** The size by its number of snippets; the rest stands in the proportion of 2,000,000 to 200,000 to 5,000,000. */
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

/** One in five of the oldest tenth has this tag, and none since: nothing of it is near the newest. */
export const oldTag = { name: 'legacy', part: 0.1 }

/** A tag that one in a thousand snippets has. */
export function teamTag(team: number): string {
  return `team${team}`
}

/** How many of those tags there are. */
export const teams = 1_000

/** Every other share of the older half was to expire after this long, did, and was purged. */
export const expired = { part: 0.5, afterMs: 30 * 86_400_000 }

/** Bytes of `data` in every seeded snippet and share. */
export const dataBytes = 1_024

const syllables = 'ka lo mi ne ru sta ven dor pil tas bo cher du fa gri hal jon kel lum mor'.split(' ')

/** Titles are made of these, the first ones the most often. */
export const vocabulary: readonly string[] = syllables.flatMap((first) =>
  syllables.flatMap((second) => syllables.slice(0, 5).map((third) => first + second + third)),
)

/** The database that is seeded. */
export const databaseName = 'scale'

/** Where the seeded server keeps its data. */
export function seededDataDir(snippets: number): string {
  return `bench/.data/scale-${snippets}`
}

/** How many snippets the owner of many has where nothing else is requested. */
export const usualSnippets = 2_000_000
