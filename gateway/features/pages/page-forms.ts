import type { AdmitParts } from '../../pipeline/admit.js'
import type { RateLimits } from '../../rate-limits/rate-limits.js'
import type { RequestContext } from '../../request/request-context.js'
import type { RouteParts } from '../feature-dependencies.js'
import { createToolForm } from '../tools/tool-form.js'
import { createRevealForm } from './reveal-form.js'

/** What handles the forms of pages. */
export interface PageForms {
  /** Serves the form of a tool's page; `null` if tools are off. */
  readonly toolForm: ((context: RequestContext, name: string) => Promise<void>) | null
  /** Responds to the form of a gated share; `false` if its page must say what is wrong. */
  readonly revealForm: (context: RequestContext, id: string) => Promise<boolean>
}

export function createPageForms(parts: RouteParts, limits: RateLimits, admit: AdmitParts): PageForms {
  return {
    toolForm: parts.tools ? createToolForm(limits, parts) : null,
    revealForm: createRevealForm(parts, admit),
  }
}
