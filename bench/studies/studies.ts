import type { Bench } from '../bench.js'
import { compare } from './compare.js'
import { files } from './files.js'
import { optimizations } from './optimizations.js'
import { pages } from './pages.js'
import { refusals } from './refusals.js'
import { scale } from './scale.js'
import { scanner } from './scanner.js'
import { secrets } from './secrets.js'
import { tools } from './tools.js'
import { uploads } from './uploads.js'

/** Benches that only run by name. */
export const studies: readonly Bench[] = [
  optimizations,
  refusals,
  uploads,
  scanner,
  secrets,
  pages,
  scale,
  files,
  compare,
  tools,
]
