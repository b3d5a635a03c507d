import { streamOptions } from '#libs/grpc/client-options.js'
import { type ChannelTo, openClient } from '#libs/grpc/open-client.js'
import { bytesMessage, bytesOnlyField } from '#libs/grpc/zero-copy/bytes-field.js'
import { type JobServiceClient, JobServiceService } from '#proto/snipkeep/tools/v1/job_service.js'

const { runJob } = JobServiceService

/** The generated service, but chunks are copied only once on their way out, and are views when they arrive. */
export const leanJobService: typeof JobServiceService = {
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
  return openClient(leanJobService, { ...to, options: streamOptions(to.options) })
}
