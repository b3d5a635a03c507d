import type { Message } from '../message.js'

/** Texts of the dashboard's shares. */
export const shares = {
  'shares.about': 'Links that show data to anyone who has them.',
  'shares.new': 'Share a snippet',
  'shares.state': 'Which shares',
  'shares.live': 'Live',
  'shares.expired': 'Expired',
  'shares.all': 'All',
  'shares.list': 'Your shares',
  'shares.copy': 'Copy link',
  'shares.delete': 'Delete {title}',
  'shares.deleteTitle': 'Delete this share?',
  'shares.deleteAbout':
    'The link to “{title}” stops working at once, for everybody who has it. This cannot be undone.',
  'shares.deleteAction': 'Delete share',
  'shares.deleted': 'The share is deleted.',
  'shares.none': 'You have shared nothing yet',
  'shares.noneAbout': 'Share a snippet, and send its link to whom you like.',
  'shares.noneLike': 'No share is like this',
  'shares.noneLikeAbout': 'Choose another state or another tool.',
  'shares.showAll': 'Show all shares',
} as const satisfies Readonly<Record<string, Message>>
