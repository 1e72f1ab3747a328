import { Trans, useLingui } from '@lingui/react/macro'
import { NotebookPen, Pencil } from 'lucide-react'
import { useState } from 'react'
import type { TransactionDetail } from '#contract/accounts.ts'
import { useLazyWhenOpen } from '#web/lib/lazy.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { ButtonRow, Row } from '#web/ui/row.tsx'

const loadForm = () => import('#web/transaction-detail/note-form.tsx')

/** Shows the customer's private note on a transaction, which can be edited in place. */
export function PrivateNote({ transaction }: { transaction: TransactionDetail }) {
  const { t } = useLingui()
  const [isEditing, setEditing] = useState(false)
  const close = () => setEditing(false)
  const form = useLazyWhenOpen(loadForm, isEditing, close)
  if (isEditing && form) return <form.NoteForm transaction={transaction} onClose={close} />
  if (transaction.privateNote === null)
    return (
      <ButtonRow
        icon={NotebookPen}
        title={t`Add a Note`}
        description={t`You can search for the payment by the words in your note.`}
        onClick={() => setEditing(true)}
      />
    )
  return (
    <Row
      icon={NotebookPen}
      title={<Trans comment="A customer's private note">Your Note</Trans>}
      description={
        <span dir="auto" className="block text-ink whitespace-pre-line wrap-anywhere">
          {transaction.privateNote}
        </span>
      }
      trailing={
        <IconButton
          icon={Pencil}
          label={t`Edit Note`}
          className="-me-3 [&_svg]:!size-4 !text-ink-soft"
          onClick={() => setEditing(true)}
        />
      }
    />
  )
}
