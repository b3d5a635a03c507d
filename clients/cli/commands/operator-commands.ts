import { readableSize } from '#libs/core/readable-text.js'
import type { OperatedAccount } from '../../sdk/generated/types.js'
import type { Snipkeep } from '../../sdk/snipkeep.js'
import { type CommandOptions, type CommandSpec, type OptionValues, shown, textOption } from '../command.js'
import { confirm, yesOption } from '../confirm.js'
import type { Context } from '../context.js'
import { CliError, exitCodes, usageError } from '../exit-codes.js'
import { shareIdIn } from '../share-on-server.js'
import { table } from '../table.js'
import { durationSeconds } from '../upload.js'
import { acts, closing, fieldLines, queues, reports } from './operator-list-commands.js'

const reasonOption: CommandOptions = { '--reason <text>': 'why; only for the audit log' }
const messageOption: CommandOptions = { '--message <text>': 'what its owner is told' }

/** @throws CliError without `--reason`. */
function decisionIn(options: OptionValues): { readonly reason: string; readonly message?: string } {
  const [reason, message] = [textOption(options, 'reason'), textOption(options, 'message')]
  if (reason === undefined) throw usageError('Say why with --reason.')
  return { reason, ...(message === undefined ? {} : { message }) }
}

/** An account, by its id or by an e-mail address that only one account has. */
async function findAccount(sk: Snipkeep, text: string): Promise<OperatedAccount> {
  const found = await sk.operator.accounts(text)
  const [only, ...more] = found
  if (only === undefined) throw new CliError(`There is no account ${text}.`, exitCodes.notFound)
  if (more.length > 0)
    throw usageError(
      `Several accounts match; name one by its id:\n${table(found.map((one) => [one.id, one.issuer, one.subject]))}`,
    )
  return only
}

const resolve: CommandSpec = {
  usage: 'operator resolve <report...>',
  summary: 'Close reports with a note',
  options: { ...reasonOption },
  examples: ['snipkeep operator resolve 5f3c… --reason "harmless"'],
  async run(context, ids, options) {
    const { reason } = decisionIn(options)
    const sk = await context.client()
    for (const id of ids) {
      await sk.operator.resolveReport(id, reason)
      await context.note(`Closed ${id}.`)
    }
  },
}

const account: CommandSpec = {
  usage: 'operator account <account>',
  summary: 'Show an account by its id or e-mail address: state, plan, counts and sizes',
  examples: ['snipkeep operator account ada@example.com'],
  async run(context, [text = '']) {
    const sk = await context.client()
    const found = await sk.operator.account((await findAccount(sk, text)).id)
    const { usage, billing, ...rest } = found
    const more = {
      snippets: usage.snippets,
      shares: usage.shares,
      stored: readableSize(usage.stored_bytes),
      subscription: billing?.status,
      granted_until: billing?.granted_until,
    }
    await context.result(found, fieldLines({ ...rest, ...more }))
  },
}

const share: CommandSpec = {
  usage: 'operator share <share>',
  summary: 'Show the metadata of a share in any state',
  examples: ['snipkeep operator share https://snipkeep.example/s/MgCTPCWfX4SCsrxLFQEuGz'],
  async run(context, [text = '']) {
    const sk = await context.client()
    const found = await sk.operator.share(await shareIdIn(sk, text))
    const { gated, ...rest } = found
    await context.result(found, fieldLines({ ...rest, ...gated }))
  },
}

/** A command that changes a share. */
function shareCommand(verb: 'disable' | 'enable', summary: string): CommandSpec {
  const isDisable = verb === 'disable'
  return {
    usage: `operator ${verb} <share>`,
    summary,
    options: { ...reasonOption, ...messageOption, ...yesOption },
    examples: [`snipkeep operator ${verb} MgCTPCWfX4SCsrxLFQEuGz --reason phishing`],
    async run(context, [text = ''], options) {
      const decision = decisionIn(options)
      const sk = await context.client()
      const id = await shareIdIn(sk, text)
      const { title, account_id: owner } = await sk.operator.share(id)
      await confirm(context, options, `${isDisable ? 'Disable' : 'Enable'} “${title}” of ${owner}?`)
      const changed = await (isDisable
        ? sk.operator.disableShare(id, decision)
        : sk.operator.enableShare(id, decision))
      await context.note(`The share is ${changed.state}.`)
      await context.result(changed, '')
    },
  }
}

async function confirmAccount(
  context: Context,
  options: OptionValues,
  question: string,
  { id, email, name, subject }: OperatedAccount,
): Promise<void> {
  await confirm(context, options, `${question} ${email ?? name ?? subject} (${id})?`)
}

/** A command that changes an account. */
function accountCommand(verb: 'suspend' | 'resume', summary: string): CommandSpec {
  return {
    usage: `operator ${verb} <account>`,
    summary,
    options: { ...reasonOption, ...messageOption, ...yesOption },
    examples: [`snipkeep operator ${verb} ada@example.com --reason spam`],
    async run(context, [text = ''], options) {
      const decision = decisionIn(options)
      const sk = await context.client()
      const found = await findAccount(sk, text)
      await confirmAccount(context, options, verb === 'suspend' ? 'Suspend' : 'Resume', found)
      const changed = await sk.operator[verb](found.id, decision)
      await context.note(
        changed.suspended_at === null ? 'The account is not suspended.' : 'The account is suspended.',
      )
      await context.result(changed, '')
    },
  }
}

const grantPlan: CommandSpec = {
  usage: 'operator grant-plan <account>',
  summary: 'Give an account Pro for a time, or end that with --end',
  options: {
    '--for <duration>': 'how long, such as 30d or 52w',
    '--end': 'end what was given by hand',
    ...reasonOption,
    '--message <text>': 'with --for: what its owner is told',
    ...yesOption,
  },
  examples: [
    'snipkeep operator grant-plan ada@example.com --for 52w --reason "maintainer"',
    'snipkeep operator grant-plan ada@example.com --end --reason "left"',
  ],
  async run(context, [text = ''], options) {
    const { reason, ...told } = decisionIn(options)
    const length = textOption(options, 'for')
    if ((length === undefined) === (options.end !== true)) throw usageError('Give either --for or --end.')
    if (length === undefined && told.message !== undefined)
      throw usageError('--message goes with --for; --end takes only a --reason.')
    const sk = await context.client()
    const found = await findAccount(sk, text)
    if (length === undefined) {
      await confirmAccount(context, options, 'End the plan that was given to', found)
      await context.result(await sk.operator.endPlanGrant(found.id, reason), '')
      return context.note('The plan that was given by hand has ended.')
    }
    const seconds = durationSeconds(length)
    await confirmAccount(context, options, `Give Pro for ${length} to`, found)
    const grant = { reason, ...told, plan: 'pro', expires_in: seconds } as const
    const changed = await sk.operator.grantPlan(found.id, grant)
    await context.note(`Pro until ${shown(changed.billing.granted_until)}.`)
    await context.result(changed, '')
  },
}

/** What operators do; everyone else gets 404. */
export const commands: readonly CommandSpec[] = [
  reports,
  resolve,
  account,
  share,
  shareCommand('disable', 'Make a share return 410; its data is kept for 30 days'),
  shareCommand('enable', 'Undo operator disable'),
  accountCommand('suspend', 'Reject all credentials of an account and hide its shares'),
  accountCommand('resume', 'Undo operator suspend'),
  grantPlan,
  acts,
  queues,
  closing,
]
