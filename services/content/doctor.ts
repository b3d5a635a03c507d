import type { Environment } from '#libs/config/read-variables.js'
import { type Check, runDoctor } from '#libs/doctor/run-doctor.js'
import { examineCertificates } from '#libs/grpc/examine-certificates.js'
import { examineSchema } from '#libs/postgres/examine-schema.js'
import { examineDocuments } from './adapters/examine-documents.js'
import { migrations, openS3 } from './compose.js'
import { type ContentConfig, readConfig, variables } from './config.js'

function checks(config: ContentConfig): readonly Check[] {
  const { database, certificates } = config
  const names = migrations.map(({ name }) => name)
  const migrateCommand = 'node dist/services/content/main.js migrate'
  return [
    {
      name: 'certificates',
      run: async () => examineCertificates('content', certificates, new Date()),
    },
    { name: 'database', run: () => examineSchema({ database, migrations: names, migrateCommand }) },
    {
      name: 'documents in S3',
      run: () => examineDocuments(() => openS3(config.documents, config.orphanGraceMs)),
    },
  ]
}

/** Content examines itself, and what it needs. */
export function doctor(env: Environment): Promise<void> {
  return runDoctor({ process: 'content', variables, readConfig, checks }, env)
}
