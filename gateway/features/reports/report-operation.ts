import type { Operation } from '../../http/operation.js'
import type { FeatureDependencies } from '../feature-dependencies.js'
import { reportHandler } from './report-handler.js'
import { newReport, reportReceived } from './report-schemas.js'

export function reportOperation(
  dependencies: Pick<
    FeatureDependencies,
    'limitReports' | 'publicBaseUrl' | 'reporterOf' | 'shareBaseUrl' | 'uploads' | 'upstreams'
  >,
): Operation {
  return {
    method: 'post',
    path: '/api/reports',
    operationId: 'createReport',
    group: 'Shares',
    access: 'public',
    rate: 'reports',
    summary: 'Report a share to the operator of this installation',
    description:
      'Needs no account. Your address is not stored, only a keyed digest of it, by which a repeated report replaces your earlier one. A share that cannot be read is answered like `getShare`. A form is answered by a redirect to the report page.',
    body: { fields: newReport, withData: 'none' },
    form: newReport,
    responses: {
      201: { description: 'Received.', schema: reportReceived },
      303: { description: 'A form was received; `Location` is the page that says so.' },
    },
    refusals: [400, 404, 410, 413, 415, 503, 504],
    handle: reportHandler(dependencies),
  }
}
