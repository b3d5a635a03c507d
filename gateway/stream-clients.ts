import { streamOptions } from '#libs/grpc/client-options.js'
import { type ChannelTo, openClient } from '#libs/grpc/open-client.js'
import { bytesMessage, bytesOnlyField } from '#libs/grpc/zero-copy/bytes-field.js'
import {
  type DocumentServiceClient,
  DocumentServiceService,
} from '#proto/snipkeep/content/v1/document_service.js'
import { type JobServiceClient, JobServiceService } from '#proto/snipkeep/tools/v1/job_service.js'

const { writeDocument, readDocument } = DocumentServiceService
const { runJob } = JobServiceService

/** The generated service, but written chunks are copied only once, and read chunks are views of the received bytes. */
export const rawDocumentService: typeof DocumentServiceService = {
  writeDocument: {
    ...writeDocument,
    requestSerialize: ({ part }) =>
      part?.$case === 'chunk' ? bytesMessage(2, part.value) : writeDocument.requestSerialize({ part }),
  },
  readDocument: {
    ...readDocument,
    responseDeserialize(message) {
      const chunk = bytesOnlyField(1, message)
      return chunk === null ? readDocument.responseDeserialize(message) : { chunk }
    },
  },
}

/**
 * The flow-control window of a document read. With HTTP/2's default of 64 KiB, both ends keep waiting for each other
 * and a download of 50 MB takes a seventh longer; beyond 512 KiB, a larger window saves at most another twelfth.
 * Different options also give the channel its own connection, so that small responses do not queue behind documents.
 */
const windowBytes = 1_572_864

export function openDocumentClient(to: ChannelTo): DocumentServiceClient {
  const options = { ...streamOptions(to.options), 'grpc-node.flow_control_window': windowBytes }
  return openClient(rawDocumentService, { ...to, options })
}

/** The generated service, but chunks are copied only once on their way out, and are views when they arrive. */
const rawJobService: typeof JobServiceService = {
  runJob: {
    ...runJob,
    requestSerialize: ({ part }) =>
      part?.$case === 'chunk' ? bytesMessage(2, part.value) : runJob.requestSerialize({ part }),
    responseDeserialize(message) {
      const chunk = bytesOnlyField(1, message)
      return chunk === null ? runJob.responseDeserialize(message) : { chunk, notes: [] }
    },
  },
}

/** A client of the process that runs tools and comparisons. */
export function openJobClient(to: ChannelTo): JobServiceClient {
  return openClient(rawJobService, { ...to, options: streamOptions(to.options) })
}
