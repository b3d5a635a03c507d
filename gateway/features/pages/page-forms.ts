import type { AdmitDependencies } from '../../pipeline/admit.js'
import type { RateLimits } from '../../rate-limits/rate-limits.js'
import type { RequestContext } from '../../request/request-context.js'
import type { FeatureDependencies } from '../feature-dependencies.js'
import { createToolForm } from '../tools/tool-form.js'
import { createRevealForm } from './reveal-form.js'

/** What handles the forms of pages. */
export interface PageForms {
  /** Serves the form of a tool's page; `null` if tools are off. */
  readonly toolForm: ((context: RequestContext, name: string) => Promise<void>) | null
  /** Responds to the form of a gated share; `false` if its page must say what is wrong. */
  readonly revealForm: (context: RequestContext, id: string) => Promise<boolean>
}

export function createPageForms(
  dependencies: Pick<
    FeatureDependencies,
    'callerIfAny' | 'publicBaseUrl' | 'runJob' | 'shareBaseUrl' | 'tools' | 'upstreams'
  >,
  limits: RateLimits,
  admit: AdmitDependencies,
): PageForms {
  return {
    toolForm: dependencies.tools ? createToolForm(limits, dependencies) : null,
    revealForm: createRevealForm(dependencies, admit),
  }
}
