import type { Operation } from '../../http/operation.js'
import type { FeatureDependencies } from '../feature-dependencies.js'
import { compareHandler } from './compare-handler.js'
import { comparison, comparisonRequest } from './compare-schemas.js'

/** `POST /api/compare`. */
export function compareOperation(
  dependencies: Pick<
    FeatureDependencies,
    | 'callerIfAny'
    | 'compareBytesMax'
    | 'documentReads'
    | 'loadShare'
    | 'readSnippet'
    | 'runJob'
    | 'shares'
    | 'upstreams'
  >,
): Operation {
  return {
    method: 'post',
    path: '/api/compare',
    operationId: 'compare',
    group: 'Comparison',
    access: 'account',
    scope: 'read',
    summary: 'Compare two snippets, shares or documents',
    description:
      'Numbers that are written differently differ, such as `1.0` and `1`, unless `numbers` is `value`. Objects are compared by key, arrays by a member that identifies their items, CSV by a column, and other text line by line. If the only member of `data` is a string, its text is compared. Large documents count against the byte budget of `pointer`. Documents that are too large or take longer than 5 s get 413 `compare_too_large`; compare them with the command line: `snipkeep diff A B`. If too many run, others wait up to 10 s, then get 503.',
    body: { fields: comparisonRequest, withData: 'none' },
    responses: { 200: { description: 'What differs.', schema: comparison } },
    refusals: [400, 403, 404, 408, 410, 413, 415],
    handle: compareHandler(dependencies),
  }
}
