import { AtSign, Phone, UserRound } from 'lucide-react'
import type { Contact } from '#contract/payments.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { cx } from '#web/ui/cx.ts'

/** Returns whether a contact has a name. A contact known only by address is listed under that address. */
export function isNamed(contact: Contact | null): contact is Contact {
  return contact !== null && contact.name !== contact.email
}

type PayeeFaceProps = { contact: Contact | null; address: string; className?: string; iconClassName?: string }

/**
 * Shows a payee's or payer's avatar: a contact's initials, or an icon for the kind of address. Without an address, it shows a
 * neutral icon.
 */
export function PayeeFace({ contact, address, className, iconClassName = 'size-4.5' }: PayeeFaceProps) {
  if (isNamed(contact))
    return <Avatar initials={contact.initials} name={contact.name} {...(className && { className })} />
  const Icon = address === '' ? UserRound : address.includes('@') ? AtSign : Phone
  return (
    <span
      aria-hidden
      className={cx('grid shrink-0 place-items-center rounded-full bg-primary-subtle text-primary', className)}
    >
      <Icon className={iconClassName} strokeWidth={2} />
    </span>
  )
}
