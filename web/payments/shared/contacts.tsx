import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Star } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { findContact, contactsQuery } from '#web/lib/contacts.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { cx } from '#web/ui/cx.ts'
import { EmailText } from '#web/ui/email-text.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

type ContactsProps = {
  /** The address in the form. */
  chosen: string
  onChoose: (address: string) => void
  /** The largest number of contacts. The default is all that the bank lists. */
  most?: number
  /** Shown beside the title. */
  action?: ReactNode
  /** Shows a line of contacts to swipe, or all of them on a card if there is space. */
  look?: 'strip' | 'card'
}

/** Shows favorites and recent payees. A press fills in the address. The list is optional, so an error hides it. */
export function Contacts({ chosen, onChoose, most, action, look = 'strip' }: ContactsProps) {
  const { data, isPending } = useQuery(contactsQuery)
  const id = useId()
  if (!isPending && !data?.contacts.length) return null
  return (
    <section className={cx(look === 'card' && 'rounded-card border border-line bg-surface px-5 pt-4 pb-2 shadow-card')}>
      <div className="flex flex-wrap items-center justify-between gap-x-3">
        <h2 className="text-sm font-medium text-ink-soft">
          <Trans>Recent Contacts</Trans>
        </h2>
        {action}
      </div>
      <ul
        className={
          look === 'card'
            ? '-mx-2 grid max-h-60 grid-cols-[repeat(auto-fill,5.25rem)] gap-1 overflow-y-auto px-1 pt-1 pb-2'
            : '-mx-4 flex gap-1 overflow-x-auto px-4 pt-1 pb-2 [scrollbar-width:none]'
        }
      >
        {isPending &&
          Array.from({ length: most ?? 4 }, (_, index) => (
            <li
              key={index}
              aria-hidden
              className="flex w-[5.25rem] shrink-0 flex-col items-center gap-1.5 py-1.5 text-sm"
            >
              <Skeleton round className="size-13" />
              <span className="leading-tight">
                <Skeleton line className="w-14" />
                <Skeleton line className="mx-auto w-10" />
              </span>
            </li>
          ))}
        {data?.contacts.slice(0, most).map((contact, index) => (
          <li key={contact.email} className="w-[5.25rem] shrink-0">
            <button
              type="button"
              aria-pressed={findContact([contact], chosen) !== null}
              title={`${contact.name}, ${contact.email}`}
              // Without this attribute, a screen reader would read the title, which repeats the name.
              aria-describedby={`${id}-${index}`}
              onClick={() => onChoose(contact.email)}
              className={cx(
                'group flex w-full flex-col items-center gap-1.5 rounded-control px-0.5 py-1.5 text-sm transition-colors hover:bg-muted',
                'aria-pressed:font-semibold aria-pressed:text-primary',
              )}
            >
              <span className="relative">
                <Avatar
                  initials={contact.initials}
                  name={contact.name}
                  className="ring-primary ring-offset-2 ring-offset-canvas group-aria-pressed:ring-2"
                />
                {contact.favourite && <FavouriteMark />}
              </span>
              <span dir="auto" className="line-clamp-2 w-full leading-tight rtl:leading-normal text-center">
                <EmailText email={contact.name} />
              </span>
              <span id={`${id}-${index}`} hidden>
                {contact.email === contact.name ? '' : contact.email}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Marks a favorite contact. */
function FavouriteMark() {
  const { t } = useLingui()
  return (
    <span className="absolute -end-1 -bottom-1 grid size-5 place-items-center rounded-full bg-canvas text-warning">
      <Star aria-hidden className="size-3.5 fill-current" strokeWidth={2} />
      <span className="sr-only">{t({ message: 'Favorite', comment: 'A contact at the top of the list' })}</span>
    </span>
  )
}
