import type { Messages } from '../message.js'

/** Texts of the front page. */
export const front = {
  'landing.pageTitle': 'Share, save and compare JSON and CSV',
  'landing.description':
    'Share JSON, CSV and text by a link, as a table or a tree; save versions, compare them exactly, and convert with tools in your browser. Open source.',
  'landing.title': 'Paste data. Get a link that shows it well.',
  'landing.text':
    'Share JSON, CSV, SQL or Markdown as a page to read, search and link into. Save what you reuse by name and fetch it with one line. Not a byte changes.',
  'landing.start': 'Start with a tool',
  'landing.paste': 'Your data',
  'landing.pasteHint': 'Paste, type, or drop a file. It stays in your browser until you save or share it.',
  'landing.allTools': 'All tools',
  'landing.sends': 'This uploads it ({size}) to your account.',
  'landing.notText': 'This is not UTF-8 text, so it cannot be shared.',
  'landing.notOpened':
    'Your browser cannot keep your data for the page of the tool. Open the tool and paste it there.',
  'landing.docs': 'Read the API documentation',
  'landing.example': 'See a share',
  'landing.exampleText':
    'This is what a link shows to anyone who opens it, here a CSV and the JSON that it was made of. Sort, filter or search it, or select a cell to get a link to it. Numbers keep every digit as it was sent.',
  'landing.exampleData': 'Example: planets.csv',
  'landing.terminal': 'Use it from a terminal',
  'landing.terminalText':
    'These lines work with this server. A free account is enough for all but the last. team.csv is any file of yours, and ID is what the link of a share ends with.',
  'landing.install': 'Install the command line',
  'landing.signIn': 'Sign in, once',
  'landing.share': 'Share a file: prints the link',
  'landing.fetch': 'Fetch a share: anyone can, without an account',
  'landing.script': 'Share from a script, with an API key in KEY (Pro)',
  'landing.copyLine': 'Copy: {what}',
  'landing.copied': 'Copied.',
  'landing.notCopied': 'Your browser did not allow copying. Select the line and copy it.',
  'landing.plans': 'Plans',
  'landing.plansAt': 'Limits and prices:',
  'landing.allPro': 'Free for everyone on this server. Nothing is for sale: everyone has Pro.',
  'landing.free': 'Free of charge',
  'landing.noPrice': 'Prices are not available right now.',
} as const satisfies Messages
