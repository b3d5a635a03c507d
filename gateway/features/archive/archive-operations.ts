import { z } from 'zod'
import type { Operation } from '../../http/operation.js'
import { secretWarning } from '../shares/secret-warnings.js'
import { itemsMax } from './archive-format.js'
import * as schemas from './archive-schemas.js'
import { exportAccount } from './export-handler.js'
import type { ExportDependencies } from './export-records.js'
import { importAccount } from './import-handler.js'
import type { ImportDependencies } from './import-items.js'

const importResult = z
  .object({
    path: z.string().describe('The file of the archive.'),
    result: z.enum(['created', 'exists', 'skipped', 'refused']),
    id: z.string().optional().describe('The id in this account.'),
    share_url: z.string().optional(),
    reason: z
      .enum(['expired', 'used_up', 'password', 'plan', 'check', 'tools'])
      .optional()
      .describe(
        'Why it was skipped. `password`: archives have no passwords, so the share would be public. `check`: checks are not imported. `tools`: contracts need tools, which are turned off here.',
      ),
    warning: z.enum(['name_taken']).optional().describe('The snippet was created without its name.'),
    warnings: z
      .array(secretWarning)
      .optional()
      .describe(
        'What seems to be a secret in a share, up to 20; beyond 4 MiB of warnings, one without its place.',
      ),
    problem: z.record(z.string(), z.unknown()).optional().describe('Why it was refused.'),
  })
  .meta({ id: 'ImportResult' })

/** `GET /api/export` and `POST /api/import`. */
export function archiveOperations(
  dependencies: ExportDependencies & ImportDependencies,
): readonly Operation[] {
  const group = 'Account'
  const access = 'account'
  return [
    {
      method: 'get',
      path: '/api/export',
      operationId: 'exportAccount',
      group,
      access,
      summary: 'Export everything that your account holds',
      description:
        'Streams a gzipped tar: `account.json`, the lists `snippets.ndjson`, `contracts.ndjson`, `checks.ndjson` (those that wait for a decision), `shares.ndjson`, `history.ndjson`, `keys.ndjson` (without secrets), `trusted-publishers.ndjson` and `events.ndjson`, each followed by its data, byte for byte, as `data/snippets/{id}.json`, `data/snippets/{id}@{version}.json`, `data/checks/{id}.json` and `data/shares/{id}.json`, and last `manifest.json` with counts and SHA-256. An archive without its manifest was cut. Lists have the SHA-256 of the data they name; one that is longer than 4 MiB continues in `snippets-2.ndjson`. One export at a time, four a day.',
      query: schemas.exportQuery,
      curl: ['-OJ'],
      responses: {
        200: {
          description: 'The archive.',
          content: { 'application/gzip': null },
          headers: { 'Content-Disposition': 'A file name with the date.' },
        },
      },
      refusals: [400, 403],
      handle: exportAccount(dependencies),
    },
    {
      method: 'post',
      path: '/api/import',
      operationId: 'importAccount',
      group,
      access,
      rate: 'creates',
      summary: 'Import an archive of GET /api/export',
      description: `The body is the archive. Creates snippets with their ids, names, times and earlier versions, their contracts, shares under new links until they would have expired, and history. Shares are searched for secrets like new ones, and those with limited views are imported with what is left of them; those with a password are skipped. Nothing that the account has is changed, so a repeated import changes nothing. Checks, keys, trusted publishers and events are not imported. Limits of the plan hold for each item. Contracts, and earlier versions of a snippet that has one, need credentials that may approve. The response has a JSON line for each item (\`ImportResult\`), and last \`{"summary": {"created", "exists", "skipped", "refused"}, "dry_run"}\`. An archive that is cut is refused with 400 \`archive_incomplete\` and what is missing, one that was changed with \`archive_invalid\`: what came before may have been imported, as \`imported\` says. Use \`dry_run\` to check an archive first. An import that takes longer than 20 s responds with its lines as they come; should it fail then, the last line is \`{"problem"}\` instead of the summary. An import whose report is longer than 4 MiB does so, too, and waits for a client that does not read. At most ${itemsMax} new items; what exists does not count, so the next import goes on from there. One import at a time, twenty a day.`,
      query: schemas.importQuery,
      curl: ["-H 'Content-Type: application/gzip'", '-T snipkeep-export.tar.gz'],
      responses: {
        200: {
          description: 'One line for each item, and a summary.',
          content: { 'application/x-ndjson': importResult },
        },
      },
      refusals: [400, 403, 408, 413, 415],
      handle: importAccount(dependencies),
    },
  ]
}
