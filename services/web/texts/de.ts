import { access } from './de/access.js'
import { account } from './de/account.js'
import { checks } from './de/checks.js'
import { compare } from './de/compare.js'
import { dashboard } from './de/dashboard.js'
import { events } from './de/events.js'
import { front } from './de/front.js'
import { guides } from './de/guides.js'
import { operator } from './de/operator.js'
import { records } from './de/records.js'
import { share } from './de/share.js'
import { site } from './de/site.js'
import { tools } from './de/tools.js'
import { viewer } from './de/viewer.js'
import type { Catalogue } from './en.js'

/** Every text in German. */
export const de: Catalogue = {
  ...site,
  ...front,
  ...share,
  ...viewer,
  ...compare,
  ...guides,
  ...tools,
  ...dashboard,
  ...records,
  ...access,
  ...events,
  ...checks,
  ...account,
  ...operator,
}
