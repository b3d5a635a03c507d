import type { Operation } from '../../http/operation.js'
import type { RouteParts } from '../feature-dependencies.js'
import { compareHandler } from './compare-handler.js'
import { comparison, comparisonRequest } from './compare-schemas.js'

/** `POST /api/compare`. */
export function compareOperation(parts: RouteParts): Operation {
  return {
    method: 'post',
    path: '/api/compare',
    operationId: 'compare',
    group: 'Comparison',
    access: 'account',
    scope: 'read',
    summary: 'Compare two snippets, shares or documents',
    description:
      'Exact: numbers differ if they are spelled differently, unless `numbers` is `value`. Objects are compared by key, arrays by a member that identifies items, CSV by a column, other text by lines. Text that is the only member of `data` is compared itself. Large documents count against the byte budget of `pointer`; documents that are too large or take more than 5 s get 413 `compare_too_large`, and the command line compares them: `snipkeep diff A B`. One comparison runs at a time; others wait up to 5 s, then get 503.',
    body: { fields: comparisonRequest, withData: 'none' },
    responses: { 200: { description: 'What differs.', schema: comparison } },
    refusals: [400, 403, 404, 408, 410, 413, 415],
    handle: compareHandler(parts),
  }
}
