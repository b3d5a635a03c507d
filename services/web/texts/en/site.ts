import type { Messages } from '../message.js'

/** Texts of every page: times, and the pages that say what has happened. */
export const site = {
  'page.tagline': 'Save the output of your formatting tools, fetch it from anywhere, share it with a link.',
  'time.seconds': { one: '{count} second', other: '{count} seconds' },
  'time.minutes': { one: '{count} minute', other: '{count} minutes' },
  'time.hours': { one: '{count} hour', other: '{count} hours' },
  'time.days': { one: '{count} day', other: '{count} days' },
  'time.ago': '{time} ago',
  'status.missing': 'Page not found',
  'status.missingPage': 'There is no page at this address.',
  'status.missingTool': 'There is no tool at this address.',
  'status.meant': 'Did you mean',
  'status.dashboard': 'Dashboard',
  'status.missingText':
    'The link is mistyped, or the person who shared this has deleted it. Ask them for a new one.',
  'status.expired': 'This share has expired',
  'status.expiredText': 'It can no longer be opened. Ask the person who shared it for a new link.',
  'status.expiredTime': 'Expired',
  'status.disabled': 'This share has been disabled',
  'status.disabledText': 'The operator of this site has disabled it. The person who shared it has been told.',
  'status.usedUp': 'This share has reached its view limit',
  'status.notAlone': 'This share opens only on its own page',
  'status.notAloneText':
    'The person who shared it protects it with a password or limits how often it may be opened.',
  'status.notAloneOpen': 'Go to its page',
  'status.readOnly': 'This page is read-only',
  'status.readOnlyText': 'Open it in a browser, or fetch it with GET.',
  'status.unavailable': 'This page is temporarily unavailable',
  'status.unavailableText': 'A service behind it is not responding. Nothing is lost. Try again in a moment.',
  'status.failureText': 'This is our fault, and it has been logged. Try again in a moment.',
  'status.home': 'What is Snipkeep?',
  'cli.title': 'Back to your terminal',
  'cli.text': 'The snipkeep command on this machine is waiting for your sign-in.',
  'cli.continue': 'Continue',
  'cli.invalid': 'No command is waiting for this sign-in',
  'cli.invalidText': 'Start again in your terminal with snipkeep login.',
} as const satisfies Messages
