// What the package `@snipkeep/client` exports.
export type { ImportOptions, ImportReport } from './account.js'
export { type Auth, type AuthCall, apiKey, idToken } from './auth.js'
export type { Candidate, CheckFilter } from './checks.js'
export { type CiAuthOptions, ciJob, githubActions, gitlab, jobUrl } from './ci-auth.js'
export type { ComparedSide, CompareOptions } from './compare.js'
export type { Content, ReadableContent } from './content.js'
export type * from './generated/types.js'
export type { Holding } from './new-output.js'
export type { Decision } from './operator.js'
export type { ListFilter, ListPage, Paged } from './paged.js'
export {
  AuthenticationError,
  BadRequestError,
  ConflictError,
  ConnectionError,
  type FieldError,
  GoneError,
  isCode,
  NotFoundError,
  PermissionError,
  PreconditionFailedError,
  type ProblemCode,
  ProblemError,
  problemCodes,
  RateLimitError,
  ServerError,
  SilenceTimeoutError,
  SnipkeepError,
  TooLargeError,
} from './problem-error.js'
export { RawData, type RawOptions, type ToolNote } from './raw-data.js'
export {
  checkAt,
  checkPath,
  lastWord,
  shareAt,
  sharePath,
  snippetPath,
  titleFor,
  versionOf,
} from './references.js'
export type { Fields, Repeatable, Tagged } from './resource.js'
export type { ServerConfig } from './server-config.js'
export type { GrantOptions, NewShare, ShareFilter, ShareGate } from './shares.js'
export { Snipkeep, type SnipkeepOptions } from './snipkeep.js'
export type {
  NewSnippet,
  PutConditions,
  SnippetChange,
  SnippetFields,
  SnippetFilter,
} from './snippets.js'
export type { ApiRequest, CallOptions, Progress, TransportInit } from './transport.js'
