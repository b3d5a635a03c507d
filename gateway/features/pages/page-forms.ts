import type { AppParts } from '../../http/app.js'
import type { AdmitParts } from '../../pipeline/admit.js'
import type { RateLimits } from '../../rate-limits/rate-limits.js'
import type { RouteParts } from '../feature-dependencies.js'
import { createToolForm } from '../tools/tool-form.js'
import { createRevealForm } from './reveal-form.js'

/** What handles the forms of pages. */
export function createPageForms(
  parts: RouteParts,
  limits: RateLimits,
  admit: AdmitParts,
): Pick<AppParts, 'toolForm' | 'revealForm'> {
  return {
    toolForm: parts.tools ? createToolForm(limits, parts) : null,
    revealForm: createRevealForm(parts, admit),
  }
}
