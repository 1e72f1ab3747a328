import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { contactAt, contactsQuery } from '#web/lib/contacts.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { cx } from '#web/ui/cx.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'

type ContactsProps = {
  /** The address that is filled in. */
  chosen: string
  onChoose: (address: string) => void
  /** How many at most; all that the bank lists unless told. */
  most?: number
}

/** People money went to lately; one touch fills in where it goes. A convenience: where it fails, it stays away. */
export function Contacts({ chosen, onChoose, most }: ContactsProps) {
  const { data, isPending } = useQuery(contactsQuery)
  if (!isPending && !data?.contacts.length) return null
  return (
    <section>
      <h2 className="pb-1 text-sm font-medium text-ink-soft">
        <Trans>Recent Contacts</Trans>
      </h2>
      <ul className="-mx-4 flex gap-1 overflow-x-auto px-4 pt-1 pb-2 [scrollbar-width:none]">
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
        {data?.contacts.slice(0, most).map((contact) => (
          <li key={contact.email} className="w-[5.25rem] shrink-0">
            <button
              type="button"
              aria-pressed={contactAt([contact], chosen) !== null}
              title={`${contact.name}, ${contact.email}`}
              onClick={() => onChoose(contact.email)}
              className={cx(
                'group flex w-full flex-col items-center gap-1.5 rounded-control px-0.5 py-1.5 text-sm transition-colors hover:bg-muted',
                'aria-pressed:font-semibold aria-pressed:text-primary',
              )}
            >
              <Avatar
                initials={contact.initials}
                name={contact.name}
                className="ring-primary ring-offset-2 ring-offset-canvas group-aria-pressed:ring-2"
              />
              <span dir="auto" className="line-clamp-2 w-full leading-tight rtl:leading-normal text-center">
                {contact.name}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
