/** Whose form the claims of a CI job's token have. */
export type CiProvider = 'github' | 'gitlab' | 'other'

/** What is known of the claims of a provider's tokens. */
export interface CiProviderClaims {
  /** The name of the repository. Names change hands, so it identifies nothing. */
  readonly name: string | null
  /** Numbers that never change hands; a rule without them trusts no one. */
  readonly pins: readonly string[]
  /** What started the job. */
  readonly event: string | null
  /** What else an owner may want to see of a token. */
  readonly shown: readonly string[]
}

/** The claims of each provider; of others only those that a rule names are known. */
export const ciProviders: Readonly<Record<CiProvider, CiProviderClaims>> = {
  github: {
    name: 'repository',
    pins: ['repository_id', 'repository_owner_id'],
    event: 'event_name',
    shown: [
      'sub',
      'repository_owner',
      'ref',
      'environment',
      'workflow_ref',
      'job_workflow_ref',
      'run_id',
      'run_attempt',
      'actor',
      'sha',
      'runner_environment',
    ],
  },
  gitlab: {
    name: 'project_path',
    pins: ['project_id', 'namespace_id'],
    event: 'pipeline_source',
    shown: [
      'sub',
      'namespace_path',
      'ref',
      'ref_protected',
      'environment',
      'ci_config_ref_uri',
      'pipeline_id',
      'job_id',
      'user_login',
      'sha',
      'runner_environment',
    ],
  },
  other: { name: null, pins: [], event: null, shown: ['sub'] },
}

/** Runs code of strangers with the rights of the repository: no rule can allow it. */
const eventsNever: readonly string[] = ['pull_request_target']
/** Runs after jobs of strangers, on what they left behind: only for rules that name it. */
const eventsIfNamed: readonly string[] = ['workflow_run']

/** Whether a job that this event started may be trusted by a rule that names these events. */
export function isEventAllowed(event: string | undefined, named: readonly string[]): boolean {
  if (event === undefined || eventsNever.includes(event)) return false
  return named.length === 0 ? !eventsIfNamed.includes(event) : named.includes(event)
}

/** Whether no rule may name this event. */
export function isEventForbidden(event: string): boolean {
  return eventsNever.includes(event)
}
