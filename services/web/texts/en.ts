/** A message: with a number in it that decides its form, one for each plural category of the language. */
export type Message = string | { readonly one: string; readonly other: string }

/** Every text of the web application in English; another language is another such file. `{name}` is filled in. */
export const en = {
  'page.tagline': 'Save what formatting tools produce, fetch it from anywhere, share it by a link.',

  'size.bytes': { one: '{count} byte', other: '{count} bytes' },
  'time.seconds': { one: '{count} second', other: '{count} seconds' },
  'time.minutes': { one: '{count} minute', other: '{count} minutes' },
  'time.hours': { one: '{count} hour', other: '{count} hours' },
  'time.days': { one: '{count} day', other: '{count} days' },
  'time.ago': '{time} ago',

  'landing.title': 'Keep what your tools produce',
  'landing.text':
    'Snipkeep saves the output of formatting tools as named snippets, hands it back byte for byte wherever you need it, and shares it by a link that anyone can open.',
  'landing.start': 'Start',
  'landing.dashboard': 'Open the dashboard',
  'landing.docs': 'Read the API documentation',
  'landing.plans': 'Plans and limits',
  'landing.openapi': 'OpenAPI',

  'dashboard.about': 'Snippets, shares, history and API keys.',
  'dashboard.noScript': 'The dashboard needs JavaScript',
  'dashboard.noScriptText': 'Everything that it does can be done by the API as well:',
  'dashboard.noScriptLink': 'read how',

  'status.missing': 'There is nothing here',
  'status.missingText':
    'The link is mistyped, or whoever shared this has withdrawn it. Ask them for a new one.',
  'status.expired': 'This share has expired',
  'status.expiredText': 'Nobody can open it any more. Ask whoever shared it for a new link.',
  'status.expiredName': 'It was called',
  'status.expiredTime': 'It expired',
  'status.readOnly': 'This page can only be read',
  'status.readOnlyText': 'Open it in a browser, or fetch it with GET.',
  'status.unavailable': 'This page cannot be shown right now',
  'status.unavailableText': 'Something behind it does not answer. Nothing is lost: try again in a moment.',
  'status.failure': 'This page could not be made',
  'status.failureText': 'That is our fault, and it has been recorded. Try again in a moment.',
  'status.retry': 'Try again',
  'status.home': 'What is Snipkeep?',

  'share.tool': 'Tool',
  'share.size': 'Size',
  'share.age': 'Shared',
  'share.link': 'Link',
  'share.never': 'never expires',
  'share.expires': 'expires in {time}',
  'share.actions': 'Actions',
  'share.download': 'Download',
  'share.raw': 'Raw',
  'share.json': 'JSON',
  'share.data': 'Data',
  'share.dataOf': 'Data: {key}',
  'share.firstLines': {
    one: 'Only the first line is shown here.',
    other: 'Only the first {count} lines are shown here.',
  },
  'share.firstBytes': 'Only the first {part} of {whole} are shown here.',
  'share.openAll': 'Open all of it',

  'view.text': 'Text',
  'view.tree': 'Tree',
  'view.table': 'Table',
  'view.raw': 'Raw',
  'loading.progress': '{received} of {total}',
} as const satisfies Readonly<Record<string, Message>>
