import { access } from './en/access.js'
import { account } from './en/account.js'
import { checks } from './en/checks.js'
import { compare } from './en/compare.js'
import { dashboard } from './en/dashboard.js'
import { events } from './en/events.js'
import { front } from './en/front.js'
import { guides } from './en/guides.js'
import { operator } from './en/operator.js'
import { records } from './en/records.js'
import { share } from './en/share.js'
import { site } from './en/site.js'
import { tools } from './en/tools.js'
import { viewer } from './en/viewer.js'
import type { Message } from './message.js'

/** Every text in English, the source of all translations. */
export const en = {
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

/** The name of a text. */
export type TextName = keyof typeof en

/** All texts by name, in one language. */
export type Catalogue = Readonly<Record<TextName, Message>>
