import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Search, Star, Trash2, Users } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import type { Contact } from '#contract/payments.ts'
import { contactsQuery } from '#web/lib/contacts.ts'
import { contactSearchQuery, markContact, removeContact } from '#web/payments/queries.ts'
import { toastError } from '#web/lib/error-toast.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Button } from '#web/ui/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { EmailText } from '#web/ui/email-text.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { Field } from '#web/ui/field.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Sheet } from '#web/ui/sheet.tsx'
import { Loading, RowSkeletons } from '#web/ui/skeleton.tsx'

type ContactsSheetProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  onChoose: (address: string) => void
}

/** Lists all contacts, with a search. A contact can be marked as a favorite or removed. */
export function ContactsSheet({ open, onOpenChange, onChoose }: ContactsSheetProps) {
  const { t } = useLingui()
  const [text, setText] = useState('')
  return (
    <Sheet
      open={open}
      onOpenChange={onOpenChange}
      title={t`All contacts`}
      description={t`Everyone you've sent money to, favorites first`}
    >
      <Field
        label={t`Search`}
        type="search"
        value={text}
        placeholder={t`Name, email or phone`}
        maxLength={100}
        autoComplete="off"
        leading={<Search aria-hidden className="ms-4 size-5 shrink-0 text-ink-soft" strokeWidth={2} />}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <MatchingContacts
        text={useDeferredValue(text.trim())}
        onChoose={(address) => {
          onChoose(address)
          onOpenChange(false)
        }}
      />
    </Sheet>
  )
}

type FoundProps = { text: string; onChoose: (address: string) => void }

function MatchingContacts({ text, onChoose }: FoundProps) {
  const { t } = useLingui()
  const { data, error, isFetching, refetch } = useQuery(contactSearchQuery(text))
  if (!data && error) return <LoadFailure error={error} refetch={refetch} isFetching={isFetching} />
  if (!data) {
    return (
      <>
        <Loading label={t`Loading your contacts`} />
        <RowSkeletons count={4} />
      </>
    )
  }
  if (data.contacts.length === 0) {
    return (
      <EmptyState icon={Users} title={t`No contacts found`}>
        {text !== '' && <Trans>Try another name, email or phone number.</Trans>}
      </EmptyState>
    )
  }
  return (
    <>
      <ul className="mt-2 -mx-2 divide-y divide-line">
        {data.contacts.map((contact) => (
          <li key={contact.email}>
            <ContactRow contact={contact} onChoose={onChoose} />
          </li>
        ))}
      </ul>
      {data.more && (
        <p className="pt-3 text-center text-sm text-ink-soft">
          <Trans>There are more. Search to find them.</Trans>
        </p>
      )}
    </>
  )
}

/** Returns a mutation that changes a contact at the bank and reloads the lists. */
function useContactChange<Change>(send: (change: Change) => Promise<void>) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: send,
    onError: toastError,
    onSettled: () => queries.invalidateQueries({ queryKey: contactsQuery.queryKey }),
  })
}

type ContactRowProps = { contact: Contact; onChoose: (address: string) => void }

function ContactRow({ contact, onChoose }: ContactRowProps) {
  const { t } = useLingui()
  const [isRemoving, setRemoving] = useState(false)
  const mark = useContactChange(markContact)
  const { name, email } = contact
  // The mark changes at once, before the bank responds.
  const favourite = mark.isPending ? mark.variables.favourite : contact.favourite
  if (isRemoving) return <Removal contact={contact} onKeep={() => setRemoving(false)} />
  return (
    <div className="@container flex items-center gap-1">
      <button
        type="button"
        onClick={() => onChoose(email)}
        className="flex min-h-16 min-w-0 flex-1 items-center gap-3 rounded-control px-2 py-2 text-start transition-colors hover:bg-muted"
      >
        <Avatar initials={contact.initials} name={name} className="!size-11 !text-sm @max-[16rem]:!hidden" />
        <span className="min-w-0">
          <span className="block leading-snug font-medium [overflow-wrap:anywhere] rtl:leading-normal">
            <bdi>
              <EmailText email={name} />
            </bdi>
          </span>
          {name !== email && (
            <span dir="ltr" className="block text-sm text-ink-soft [overflow-wrap:anywhere] rtl:text-right">
              <EmailText email={email} />
            </span>
          )}
        </span>
      </button>
      <IconButton
        icon={Star}
        label={favourite ? t`Remove ${name} from Favorites` : t`Add ${name} to Favorites`}
        aria-pressed={favourite}
        onClick={() => mark.mutate({ email, favourite: !favourite })}
        className={cx(favourite ? '!text-warning [&>svg]:fill-current' : '!text-ink-soft')}
      />
      <IconButton
        icon={Trash2}
        label={t`Remove ${name}`}
        onClick={() => setRemoving(true)}
        className="!text-ink-soft"
      />
    </div>
  )
}

/** Asks for a confirmation in place of the row. */
function Removal({ contact, onKeep }: { contact: Contact; onKeep: () => void }) {
  const remove = useContactChange(removeContact)
  const name = (
    <bdi className="font-medium">
      <EmailText email={contact.name} />
    </bdi>
  )
  return (
    <div className="flex min-h-16 flex-wrap items-center justify-between gap-x-3 gap-y-1 px-2 py-2">
      <p className="min-w-0 [overflow-wrap:anywhere]">
        <Trans comment="Removes a contact from the list">Remove {name}?</Trans>
      </p>
      <span className="ms-auto flex flex-wrap gap-2">
        <Button variant="secondary" size="small" disabled={remove.isPending} onClick={onKeep}>
          <Trans comment="Keeps a contact on the list">Keep</Trans>
        </Button>
        <Button
          variant="danger"
          size="small"
          busy={remove.isPending || remove.isSuccess}
          onClick={() => remove.mutate(contact.email)}
        >
          <Trans comment="Removes a contact from the list">Remove</Trans>
        </Button>
      </span>
    </div>
  )
}
