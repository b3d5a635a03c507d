import { text } from '../../../texts/text.js'
import { Icon } from '../kit/icon.js'
import { Menu } from '../kit/menu.js'
import { useSession } from '../session/session-views.js'
import { finishUndoable } from './toasts.js'

/** Who is signed in, and the button to sign out. */
export function AccountMenu({ name }: { name: string }) {
  const session = useSession()
  return (
    <Menu
      label={text('frame.account', { name })}
      choices={[
        { id: 'profile', label: text('frame.profile'), icon: 'profile', href: '/profile' },
        { id: 'plan', label: text('frame.plan'), icon: 'plan', href: '/plan' },
        {
          id: 'sign-out',
          label: text('session.signOut'),
          icon: 'out',
          onAction: () => {
            finishUndoable()
            void session.signOut()
          },
        },
      ]}
    >
      <span className="avatar" data-letter={[...name][0]?.toLocaleUpperCase() ?? '?'} />
      <span className="account-name">{name}</span>
      <Icon name="down" />
    </Menu>
  )
}
