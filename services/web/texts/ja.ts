import type { Catalogue } from './en.js'
import { access } from './ja/access.js'
import { account } from './ja/account.js'
import { checks } from './ja/checks.js'
import { compare } from './ja/compare.js'
import { dashboard } from './ja/dashboard.js'
import { events } from './ja/events.js'
import { front } from './ja/front.js'
import { guides } from './ja/guides.js'
import { operator } from './ja/operator.js'
import { records } from './ja/records.js'
import { share } from './ja/share.js'
import { site } from './ja/site.js'
import { tools } from './ja/tools.js'
import { viewer } from './ja/viewer.js'

/** Every text in Japanese. */
export const ja: Catalogue = {
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
